"""An expression on the learner's engine: its graph and its backward pass, step by step."""
