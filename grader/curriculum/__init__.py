"""A course as it is read from its folder: stages, checkpoints, hints, faulty engines. Knows no
phase by name.
"""
