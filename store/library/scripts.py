"""Lua scripts of the list of games, turns, aliases and logged plays."""

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
