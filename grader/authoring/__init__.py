"""TRUSTED. For course authors: check a course, start a stage, export the course."""
