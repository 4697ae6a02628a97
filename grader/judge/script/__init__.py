"""Record what a check did with the learner's code: steps, and the Python code that shows them."""
