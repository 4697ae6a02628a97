"""TRUSTED. One learner's desk: progress, hints, quiz, pictures of their own engine. Only their own
commands parse their file.
"""
