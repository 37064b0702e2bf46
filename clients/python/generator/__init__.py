"""Writes the modules of the client that follow from openapi.yaml."""
