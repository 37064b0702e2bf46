"""Use cases: operations on records, and permissions to view them. No HTTP, no queue."""
