"""TRUSTED. What was handed in, as bytes: a folder, a file, a notebook, an archive. Nothing here
parses or runs it.
"""
