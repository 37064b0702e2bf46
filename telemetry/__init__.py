"""Telemetry of every process: log lines, and traces if enabled. It does not depend on games."""
