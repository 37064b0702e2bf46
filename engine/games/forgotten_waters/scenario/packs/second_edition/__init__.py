"""The Bell Below as of version 2 of the rules, for stored games."""
