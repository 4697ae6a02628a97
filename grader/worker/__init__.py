"""UNTRUSTED. Everything in this folder, and nothing else, runs beside the learner's code. Standard
library only; of it the judge imports `protocol` alone.
"""
