"""The Lua scripts of what is projected from a log: a game's entry in the list, and its turns."""

from __future__ import annotations

WRITE_SUMMARY = """
-- Bring a game's entry in the list to a newer version; indexes and tallies follow. Of what it is found by only its
-- status and its result can have changed.
--
-- KEYS: 1 summaries (hash); 2 all games, 3 games by opening, 4 vocabulary (sorted sets); 5 the deleted games (set);
--       then the tallies (hashes) that its `counted` is for, in order; the indexes of its status and result; those of
--       the others; the indexes that it stands in for good
-- ARGV: 1 game id; 2 its summary (JSON); 3 its version; 4 when it was opened (ms since 1970); 5-7 how many tallies,
--       indexes it stands in now, and indexes it does not there are; from 8: its words
--
-- Returns 1, or 0 where the list is as new already, or the game is deleted

local id, version = ARGV[1], tonumber(ARGV[3])
local old = redis.call('HGET', KEYS[1], id)
if (old and cjson.decode(old).version >= version) or redis.call('SISMEMBER', KEYS[5], id) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], id, ARGV[2])
local function count(summary, by)
  for i, fields in ipairs(summary.counted or {}) do
    for _, field in ipairs(fields) do
      redis.call('HINCRBY', KEYS[5 + i], field, by)
    end
  end
end
if old then
  count(cjson.decode(old), -1)
end
count(cjson.decode(ARGV[2]), 1)
local first = 6 + tonumber(ARGV[5])
local others = first + tonumber(ARGV[6])
local lasting = others + tonumber(ARGV[7])
for i = first, others - 1 do
  redis.call('ZADD', KEYS[i], 0, id)
end
for i = others, lasting - 1 do
  redis.call('ZREM', KEYS[i], id)
end
if not old then
  redis.call('ZADD', KEYS[2], 0, id)
  redis.call('ZADD', KEYS[3], ARGV[4], id)
  for i = 8, #ARGV do
    redis.call('ZADD', KEYS[4], 0, ARGV[i])
  end
  for i = lasting, #KEYS do
    redis.call('ZADD', KEYS[i], 0, id)
  end
end
return 1
"""

DROP_SUMMARY = """
-- Forget a game's entry in the list; the tallies follow.
--
-- KEYS: 1 summaries (hash); from 2: the tallies (hashes) that its `counted` is for, in order
-- ARGV: 1 game id
--
-- Returns 1, or 0 where it has no entry

local old = redis.call('HGET', KEYS[1], ARGV[1])
if not old then
  return 0
end
for i, fields in ipairs(cjson.decode(old).counted or {}) do
  for _, field in ipairs(fields) do
    redis.call('HINCRBY', KEYS[1 + i], field, -1)
  end
end
return redis.call('HDEL', KEYS[1], ARGV[1])
"""

UNLIST = """
-- Take a game out of every index of the list; a word that no other game has is none of the vocabulary any more.
--
-- KEYS: 1 vocabulary; then the indexes of its words, in the order of these; the other indexes (sorted sets)
-- ARGV: 1 game id; from 2: its words

local words = #ARGV - 1
for i = 2, #KEYS do
  redis.call('ZREM', KEYS[i], ARGV[1])
  if i <= words + 1 and redis.call('EXISTS', KEYS[i]) == 0 then
    redis.call('ZREM', KEYS[1], ARGV[i])
  end
end
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
