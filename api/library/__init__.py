"""Endpoints about all games."""
