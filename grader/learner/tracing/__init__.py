"""An expression as the learner's engine computes it: its graph, and its backward pass step by step."""  # noqa: E501
