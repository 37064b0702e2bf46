"""Explanations of an illegal action: the mistakes of players or recorders that may have caused it."""
