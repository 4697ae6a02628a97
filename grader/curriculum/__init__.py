"""TRUSTED. A course as read from its folder: stages, checkpoints, hints, faulty engines. No phase
is known by name here.
"""
