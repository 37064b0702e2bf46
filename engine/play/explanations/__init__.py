"""Explanations: the mistakes of players or recorders that may have caused an illegal action."""
