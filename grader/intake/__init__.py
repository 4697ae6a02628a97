"""TRUSTED. What was handed in, as bytes. Nothing here parses or runs it."""
