"""The Lua scripts of what is the service's own: its signing keys, and whether it can write."""

from __future__ import annotations

ADD_SIGNING_KEY = """
-- Put a new signing key on the ring, unless somebody else has put one there since it was looked at.
--
-- KEYS: 1 the ring (list)
-- ARGV: 1 how many keys there were; 2 the new key (JSON); 3 what is left of the last one (JSON), or empty
--
-- Returns 1, or 0 where there are more keys now

if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then
  return 0
end
if ARGV[3] ~= '' then
  redis.call('LSET', KEYS[1], -1, ARGV[3])
end
redis.call('RPUSH', KEYS[1], ARGV[2])
return 1
"""

PROBE = """
-- Write, to see whether it can be.
--
-- KEYS: 1 a key that is for nothing else

redis.call('SET', KEYS[1], '')
"""
