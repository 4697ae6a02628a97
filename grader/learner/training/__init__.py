"""A network of the learner's that is trained to be looked at, and the picture of it."""
