"""`driftlog witness`: a process that cosigns the heads of a service, and remembers them outside the service."""
