"""Endpoints of the service itself."""
