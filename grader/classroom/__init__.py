"""TRUSTED. A whole class: who handed in what, a grade for each learner, and a gradebook that
survives a crash.
"""
