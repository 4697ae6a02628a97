"""Train the learner's network step by step, and draw it."""
