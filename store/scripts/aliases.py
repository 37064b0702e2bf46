"""The Lua script of what is said of names and seats."""

from __future__ import annotations

DECLARE = """
-- Say who is meant by a name, or who sat at a table; what stands elsewhere in the list by that is to be listed anew.
--
-- KEYS: 1 what is said (hash), 2 its revision (string), 3 the games to list (sorted set); of a name: 4 the games of
--       whoever was meant (sorted set), 5 and 6 the same of past plays
-- ARGV: 1 the name, or the game; 2 what is said of it (JSON; empty: nothing any more); 3 the revision that is known;
--       4 the next one
--
-- Returns 1, 0 where there was nothing to take back, or -1 where another revision is in force

if (redis.call('GET', KEYS[2]) or '') ~= ARGV[3] then
  return -1
end
if ARGV[2] ~= '' then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
elseif redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then
  return 0
end
redis.call('SET', KEYS[2], ARGV[4])
if KEYS[4] then
  redis.call('ZUNIONSTORE', KEYS[3], 2, KEYS[3], KEYS[4])
  redis.call('ZUNIONSTORE', KEYS[5], 2, KEYS[5], KEYS[6], 'WEIGHTS', 1, 0)
else
  redis.call('ZADD', KEYS[3], 0, ARGV[1])
end
return 1
"""
