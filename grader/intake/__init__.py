"""TRUSTED. A submission, as bytes. Nothing here parses or runs it."""
