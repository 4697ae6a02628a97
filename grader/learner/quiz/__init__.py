"""Ask the course's questions, search its symptoms, and keep the checklist."""
