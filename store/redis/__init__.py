"""The connection to Redis, and the embedded server."""
