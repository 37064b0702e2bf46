"""The Lua scripts of what is projected from a log: a game's entry in the list, and its turns."""

from __future__ import annotations

EXCHANGE = """
-- Put an entry of the list in the place of the one that a game has; indexes and tallies follow.
--
-- KEYS: 1 summaries (hash), 2 the deleted games (set), 3 the revision of what is said of names (string), 4 the games
--       to list anew for that (sorted set); then those that the plan names: indexes and registers of indexes (sorted
--       sets), tallies (hashes)
-- ARGV: 1 game id; 2 the entry that it has (JSON; empty: none); 3 the one that it is to have (JSON; empty: none);
--       4 the plan (JSON), whose numbers are places in KEYS: `leaves` [index, register or 0, entry there],
--       `joins` [index, score, register or 0, entry there], `counts` [tally, field, by]; 5 the revision by which the
--       entry was made that it is to have
--
-- Returns 1, 0 where the game is deleted, or -1 where it has another entry than that, or another revision is in force

local id, plan = ARGV[1], cjson.decode(ARGV[4])
if (redis.call('HGET', KEYS[1], id) or '') ~= ARGV[2] then
  return -1
end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], id)
elseif redis.call('SISMEMBER', KEYS[2], id) == 1 then
  redis.call('ZREM', KEYS[4], id)
  return 0
elseif (redis.call('GET', KEYS[3]) or '') ~= ARGV[5] then
  return -1
else
  redis.call('HSET', KEYS[1], id, ARGV[3])
end
redis.call('ZREM', KEYS[4], id)
for _, place in ipairs(plan.leaves) do
  redis.call('ZREM', KEYS[place[1]], id)
  if place[2] > 0 and redis.call('EXISTS', KEYS[place[1]]) == 0 then
    redis.call('ZREM', KEYS[place[2]], place[3])
  end
end
for _, place in ipairs(plan.joins) do
  redis.call('ZADD', KEYS[place[1]], place[2], id)
  if place[3] > 0 then
    redis.call('ZADD', KEYS[place[3]], 0, place[4])
  end
end
for _, count in ipairs(plan.counts) do
  if redis.call('HINCRBY', KEYS[count[1]], count[2], count[3]) == 0 then
    redis.call('HDEL', KEYS[count[1]], count[2])
  end
end
return 1
"""

WRITE_TURNS = """
-- Say how far a game is projected, unless it is so far already.
--
-- KEYS: 1 the game's turns (hash), 2 its meta (hash)
-- ARGV: 1 version; 2 turn index (JSON); 3 undos (JSON); 4 clock (JSON)
--
-- Returns 1, or 0 where the projection is as new already, or there is no such game

if redis.call('HEXISTS', KEYS[2], 'v') == 0 then
  return 0
end
local v = redis.call('HGET', KEYS[1], 'v')
-- What an earlier version of the service made has no clock.
if v and tonumber(v) >= tonumber(ARGV[1]) and redis.call('HEXISTS', KEYS[1], 'clock') == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'v', ARGV[1], 'turns', ARGV[2], 'undos', ARGV[3], 'clock', ARGV[4])
return 1
"""
