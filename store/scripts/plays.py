"""The Lua scripts of past plays as they come in and are taken out; how one is listed follows, see `EXCHANGE`."""

from __future__ import annotations

TAKE_IN = """
-- Keep a past play, in the place of what was known of it; it is to be listed anew.
--
-- KEYS: 1 past plays (hash), 2 those that were taken out (set), 3 those to be listed (sorted set)
-- ARGV: 1 its id; 2 the play (JSON); 3 '1': also one that was taken out; 4 how many there may be
--
-- Returns 'imported' | 'changed' | 'there' | 'taken_out' | 'full'

local id, play = ARGV[1], ARGV[2]
if ARGV[3] ~= '1' and redis.call('SISMEMBER', KEYS[2], id) == 1 then
  return 'taken_out'
end
local known = redis.call('HGET', KEYS[1], id)
if known == play then
  return 'there'
end
if not known and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then
  return 'full'
end
redis.call('SREM', KEYS[2], id)
redis.call('HSET', KEYS[1], id, play)
redis.call('ZADD', KEYS[3], 0, id)
return known and 'changed' or 'imported'
"""

TAKE_OUT = """
-- Let a past play go for good; it is to be taken out of the list.
--
-- KEYS: 1 past plays (hash), 2 those that were taken out (set), 3 those to be listed (sorted set)
-- ARGV: 1 its id
--
-- Returns 1, or 0 where there is none

if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then
  return 0
end
redis.call('SADD', KEYS[2], ARGV[1])
redis.call('ZADD', KEYS[3], 0, ARGV[1])
return 1
"""
