"""Endpoints of all games."""
