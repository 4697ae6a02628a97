"""What a check did with the learner's code, as data: steps, and the Python that they print as."""
