"""Beliefs: possible tables, when results went unseen."""
