"""Explain a failure from its script, the right derivative at every node, and the known mistakes."""
