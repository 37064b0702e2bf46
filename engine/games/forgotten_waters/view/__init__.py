"""The table to look at: the picture, what has a place on it, and the state sheet."""
