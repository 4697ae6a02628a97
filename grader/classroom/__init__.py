"""TRUSTED. A whole class: who handed in what, a grade for each, and a gradebook that survives a
crash.
"""
