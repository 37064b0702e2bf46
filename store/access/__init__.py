"""Tokens, share links, signing keys, rate limits and the access log."""
