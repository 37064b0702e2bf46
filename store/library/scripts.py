"""Lua scripts of the list of games, turns, aliases and logged plays."""

from __future__ import annotations

EXCHANGE = """
-- Replace a game's entry in the list, together with its indexes and tallies.
--
-- KEYS: 1 summaries (hash), 2 the deleted games (set), 3 the revision of the aliases (string), 4 the games to relist
--       after a change of aliases (sorted set); then the keys in the plan: indexes and registers of indexes (sorted
--       sets), tallies (hashes)
-- ARGV: 1 game id; 2 the old entry (JSON; empty: none); 3 the new entry (JSON; empty: none);
--       4 the plan (JSON), whose numbers are positions in KEYS: `leaves` [index, register or 0, entry there],
--       `joins` [index, score, register or 0, entry there], `counts` [tally, field, change]; 5 the revision of the
--       aliases in the new entry
--
-- Returns 1, 0 if the game is deleted, or -1 if the current entry or revision is another one

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
-- A damaged index or counter does not stop the script in the middle: the doctor reports and rebuilds it.
for _, place in ipairs(plan.leaves) do
  redis.pcall('ZREM', KEYS[place[1]], id)
  if place[2] > 0 and redis.call('EXISTS', KEYS[place[1]]) == 0 then
    redis.pcall('ZREM', KEYS[place[2]], place[3])
  end
end
for _, place in ipairs(plan.joins) do
  redis.pcall('ZADD', KEYS[place[1]], place[2], id)
  if place[3] > 0 then
    redis.pcall('ZADD', KEYS[place[3]], 0, place[4])
  end
end
for _, count in ipairs(plan.counts) do
  if redis.pcall('HINCRBY', KEYS[count[1]], count[2], count[3]) == 0 then
    redis.call('HDEL', KEYS[count[1]], count[2])
  end
end
return 1
"""

WRITE_TURNS = """
-- Store a game's turn index and projected version, unless a newer one is stored.
--
-- KEYS: 1 the game's turns (hash), 2 its meta (hash)
-- ARGV: 1 version; 2 turn index (JSON); 3 undos (JSON); 4 clock (JSON)
--
-- Returns 1, or 0 if the stored one is as new, or there is no such game

if redis.call('HEXISTS', KEYS[2], 'v') == 0 then
  return 0
end
-- A key of another type is damaged, and replaced.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'hash' and kind ~= 'none' then
  redis.call('UNLINK', KEYS[1])
end
-- A version that is no number is damaged, and replaced.
local v = tonumber(redis.call('HGET', KEYS[1], 'v') or '')
-- An index of an earlier version of the service has no clock.
if v and v >= tonumber(ARGV[1]) and redis.call('HEXISTS', KEYS[1], 'clock') == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'v', ARGV[1], 'turns', ARGV[2], 'undos', ARGV[3], 'clock', ARGV[4])
return 1
"""

DECLARE = """
-- Set or delete an alias of a name, or the player of a seat, and queue the affected entries for relisting.
--
-- KEYS: 1 aliases or players of seats (hash), 2 their revision (string), 3 the games to relist (sorted set);
--       for an alias: 4 the games of the person so far, 5 the logged plays to relist, 6 the logged plays of the
--       person so far (sorted sets)
-- ARGV: 1 the name, or the game; 2 its alias or players (JSON; empty to delete); 3 the expected revision;
--       4 the next revision
--
-- Returns 1, 0 if there was nothing to delete, or -1 if the revision is another one

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
-- Store a logged play, replacing an earlier version, and queue it for relisting.
--
-- KEYS: 1 logged plays (hash), 2 the removed ones (set), 3 those to relist (sorted set)
-- ARGV: 1 its id; 2 the play (JSON); 3 '1' to store it even if it was removed; 4 maximum number of plays
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
-- Delete a logged play permanently, and queue it for removal from the list.
--
-- KEYS: 1 logged plays (hash), 2 the removed ones (set), 3 those to relist (sorted set)
-- ARGV: 1 its id
--
-- Returns 1, or 0 if there is none

if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then
  return 0
end
redis.call('SADD', KEYS[2], ARGV[1])
redis.call('ZADD', KEYS[3], 0, ARGV[1])
return 1
"""
