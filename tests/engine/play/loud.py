"""A package that fails to import, at length."""

raise ValueError("no\n" * 200)
