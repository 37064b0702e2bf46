"""The Lua script that tests whether the server takes writes."""

from __future__ import annotations

PROBE = """
-- Write, to see whether it can be.
--
-- KEYS: 1 a key that is for nothing else

redis.call('SET', KEYS[1], '')
"""
