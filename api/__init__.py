"""The REST API (Flask): the app factory, a blueprint per resource, problems, the live stream, the pages."""
