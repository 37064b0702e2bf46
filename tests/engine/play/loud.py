"""A package whose import fails with a long message."""

raise ValueError("no\n" * 200)
