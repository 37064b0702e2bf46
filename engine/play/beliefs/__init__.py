"""Beliefs: what is known of a table where nobody saw what chance did."""
