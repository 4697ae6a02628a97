"""Why a checkpoint failed: from its script, the right derivative at every node, and what known
mistakes compute on it.
"""
