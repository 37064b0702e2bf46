"""Generate the client's modules from openapi.yaml."""
