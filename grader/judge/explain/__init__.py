"""TRUSTED: say why a checkpoint failed, and prove it where a small change fixes the code."""
