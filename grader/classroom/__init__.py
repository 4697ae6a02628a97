"""TRUSTED. A whole class: submissions, a grade for each, and a gradebook that survives a crash."""
