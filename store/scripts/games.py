"""The Lua scripts of a game as a whole: its place among all, what is kept beside its log, its copies and its end."""

from __future__ import annotations

TAKE_PLACE = """
-- Take a place for a game, unless there are as many as there may be.
--
-- KEYS: 1 places (sorted set): game -> when it was taken, in seconds; 0 where it is there for good
-- ARGV: 1 game id; 2 how many there may be, 0 for any number; 3 after how many seconds one may be stale
--
-- Returns {1 where it is taken, else 0; how many others there are; some of those that may be stale ...}

local now, most = tonumber(redis.call('TIME')[1]), tonumber(ARGV[2])
local stale = redis.call('ZRANGEBYSCORE', KEYS[1], '(0', '(' .. (now - ARGV[3]), 'LIMIT', 0, 100)
local used = redis.call('ZCARD', KEYS[1])
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  return {1, used - 1}
end
if most > 0 and used >= most then
  return {0, used, unpack(stale)}
end
redis.call('ZADD', KEYS[1], now, ARGV[1])
return {1, used, unpack(stale)}
"""

KEEP = """
-- Keep something of a game, as long as there is that game.
--
-- KEYS: 1 where (hash), 2 the game's meta (hash)
-- ARGV: names of fields and their values in turn
--
-- Returns 1, or 0 where there is no such game

if redis.call('HEXISTS', KEYS[2], 'v') == 0 then
  return 0
end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
"""

COPY = """
-- What a game's keys hold, at one moment.
--
-- KEYS: 1 the game's meta (hash); from 2: what is kept beside its log
--
-- Returns {each field of the meta before its value}, then for each of the others {type, when it goes (ms since 1970, or
--         0), its values: of a hash or a sorted set each member before its value or score}

local reads = {
  hash = {'HGETALL'}, list = {'LRANGE', 0, -1}, set = {'SMEMBERS'}, zset = {'ZRANGE', 0, -1, 'WITHSCORES'},
  string = {'GET'}
}
local found = {redis.call('HGETALL', KEYS[1])}
local now = redis.call('TIME')
for i = 2, #KEYS do
  local kind = redis.call('TYPE', KEYS[i]).ok
  local read = reads[kind]
  local values = {}
  if read then
    values = redis.call(read[1], KEYS[i], unpack(read, 2))
    if kind == 'string' then
      values = {values}
    end
  end
  local left = redis.call('PTTL', KEYS[i])
  local goes = 0
  if left > 0 then
    goes = now[1] * 1000 + math.floor(now[2] / 1000) + left
  end
  found[i] = {kind, goes, values}
end
return found
"""

PUT_IN_PLACE = """
-- Have a game be there that was written beside its place, unless it is there already.
--
-- KEYS: 1 the game's meta (hash); from 2: its other keys; in the second half the same keys beside their places
-- ARGV: 1 channel for the hint; 2 game id
--
-- Returns 1, or 0 where it was there

local count = #KEYS / 2
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('UNLINK', unpack(KEYS, count + 1))
  return 0
end
for i = count, 1, -1 do
  if redis.call('EXISTS', KEYS[count + i]) == 1 then
    redis.call('RENAME', KEYS[count + i], KEYS[i])
  end
end
local version = redis.call('HGET', KEYS[1], 'v')
if version then
  redis.call('PUBLISH', ARGV[1], ARGV[2] .. ' ' .. version)
end
return 1
"""

DELETE = """
-- End a game: nothing of it is left but what a tombstone says.
--
-- KEYS: 1 its meta (hash); from 2: all its other keys
-- ARGV: 1 when; 2 by whom, or empty; 3 channel for the hint; 4 game id
--
-- Returns 1, or 0 where there is no such game (any more)

local at = redis.call('HMGET', KEYS[1], 'v', 'head', 'archived', 'restored')
if not at[1] then
  return 0
end
redis.call('UNLINK', unpack(KEYS))
redis.call('HSET', KEYS[1], 'gone_v', at[1], 'gone_head', at[2], 'gone_at', ARGV[1], 'gone_by', ARGV[2])
if at[3] or at[4] then
  redis.call('HSET', KEYS[1], 'gone_files', 1)
end
redis.call('PUBLISH', ARGV[3], ARGV[4] .. ' ' .. (tonumber(at[1]) + 1))
return 1
"""
