"""Log lines and traces of every process. This package does not depend on games."""
