"""Endpoints of a single game."""
