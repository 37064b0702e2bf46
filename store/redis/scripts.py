"""The Lua script that tests whether the server takes writes."""

from __future__ import annotations

PROBE = """
-- Test whether the server accepts writes.
--
-- KEYS: 1 a key that is used for nothing else

redis.call('SET', KEYS[1], '')
"""
