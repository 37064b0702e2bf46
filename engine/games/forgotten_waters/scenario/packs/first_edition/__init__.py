"""The scenarios as of version 1 of the rules, for stored games."""
