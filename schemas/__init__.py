"""Every request and response body, one module per resource: the source of openapi.yaml."""
