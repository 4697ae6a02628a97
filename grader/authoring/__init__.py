"""For those who make a course: its proof, a new stage, the course for other places."""
