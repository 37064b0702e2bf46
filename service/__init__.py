"""The use cases: what can be done with records, and who may see what of them. No HTTP, no queue."""
