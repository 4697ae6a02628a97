"""TRUSTED. A course as read from its folder: stages, checkpoints, hints, faulty engines. No code
here knows the name of a phase.
"""
