"""Endpoints about the service itself."""
