"""TRUSTED. Everything for one learner: progress, hints, quiz, pictures of their engine.

Only commands that they run themselves parse their file.
"""
