"""TRUSTED: say why a checkpoint failed, and prove it if a small change fixes the code."""
