"""Operator commands on a store: backup and doctor."""
