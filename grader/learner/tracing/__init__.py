"""Trace an expression through the learner's engine: its graph and backward pass, step by step."""
