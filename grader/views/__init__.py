"""Views of a report. Each is a pure function of it."""
