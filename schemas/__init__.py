"""Every body that enters or leaves, one module per resource: the source of openapi.yaml."""
