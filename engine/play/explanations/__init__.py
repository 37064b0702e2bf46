"""Explanations: the slips of a table that may lie behind an action that the rules forbid."""
