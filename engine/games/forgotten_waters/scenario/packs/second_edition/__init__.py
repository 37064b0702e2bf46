"""The Bell Below as version 2 of the rules had it: stored games keep it."""
