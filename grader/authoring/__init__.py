"""TRUSTED. For course authors: prove a course, begin a stage, export the course to other places."""
