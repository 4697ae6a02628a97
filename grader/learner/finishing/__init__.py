"""What a learner gets in the end: their engine as a library of their own, and what it did, in
numbers.
"""
