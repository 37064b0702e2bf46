"""Endpoints of one game."""
