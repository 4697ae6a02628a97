"""UNTRUSTED. Only this folder runs in the same process as the learner's code.

It imports nothing but the standard library, and the judge imports only `protocol` from it.
"""
