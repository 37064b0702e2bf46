"""Lua scripts of games: appends, requests sent before, archive, places, copies, deletion and the feed."""

from __future__ import annotations

APPEND = """
-- Append events to a game, or tell why not. Nothing is written unless all of it is.
--
-- KEYS: 1 the game's events (stream), 2 its meta (hash), 3 its idempotency keys (hash)
-- ARGV: 1 the version that the writer expects, 0 for a game to open; 2 the hash of that event (32 bytes);
--       3 idempotency key, or empty; 4 digest of the request's body; both hashed short
--       5 what the request has done so far, as the key tells it, or empty; 6 the same with these events;
--       7 seed to keep with a game to open, or empty; 8 its events from a file: count, head, signer (or -), or empty;
--       9 channel for the hint; 10 game id; 11 how many entries a conflict may bring;
--       12 how many events the game may have, and 13 how many bytes of them, 0 for any number;
--       from 14: fields e and h of each event in turn
--
-- Returns {'appended'} | {'replayed', what was done} | {'reused'} | {'unknown'} | {'archived'}
--       | {'full', 'events' or 'bytes', how many there are}
--       | {'conflict', version, entries from the expected version on}

local events, meta, keys = KEYS[1], KEYS[2], KEYS[3]
local expected, key, digest, seed = tonumber(ARGV[1]), ARGV[3], ARGV[4], ARGV[7]

-- The key comes before the version: a repeated request finds a newer version, its own.
if key ~= '' then
  local used = redis.call('HGET', keys, key)
  if used then
    if string.sub(used, 1, #digest) ~= digest then
      return {'reused'}
    end
    local done = string.sub(used, #digest + 1)
    if done ~= ARGV[5] then
      return {'replayed', done}
    end
  end
end

local at = redis.call('HMGET', meta, 'v', 'head', 'archived', 'bytes')
local version = tonumber(at[1] or '0')
-- Of a deleted game the meta tells no version.
if version == 0 and (expected > 0 or redis.call('EXISTS', meta) == 1) then
  return {'unknown'}
end
if at[3] then
  return {'archived'}
end
if version < expected or (version == expected and version > 0 and at[2] ~= ARGV[2]) then
  return {'conflict', version, {}}
end
if version > expected then
  return {'conflict', version, redis.call('XRANGE', events, expected .. '-0', '+', 'COUNT', ARGV[11])}
end

local bytes = tonumber(at[4])
if not bytes then
  -- It is the first, or was written before this was counted.
  bytes = version > 0 and redis.call('MEMORY', 'USAGE', events, 'SAMPLES', 0) or 0
end
local most_events, most_bytes, before = tonumber(ARGV[12]), tonumber(ARGV[13]), bytes
for i = 14, #ARGV do
  bytes = bytes + #ARGV[i]
end
if most_events > 0 and version + (#ARGV - 13) / 2 > most_events then
  return {'full', 'events', version}
end
if most_bytes > 0 and bytes > most_bytes then
  return {'full', 'bytes', before}
end
for i = 14, #ARGV, 2 do
  version = version + 1
  redis.call('XADD', events, version .. '-0', 'e', ARGV[i], 'h', ARGV[i + 1])
end
redis.call('HSET', meta, 'v', version, 'head', string.sub(ARGV[#ARGV], 1, 32), 'bytes', string.format('%d', bytes))
if seed ~= '' then
  redis.call('HSET', meta, 'seed', seed)
end
if ARGV[8] ~= '' then
  local count, head, signer = string.match(ARGV[8], '^(%d+) (%S+) (%S+)$')
  redis.call('HSET', meta, 'imported', count)
  if head ~= '-' then
    redis.call('HSET', meta, 'imported_head', head)
  end
  if signer ~= '-' then
    redis.call('HSET', meta, 'imported_key', signer)
  end
end
if key ~= '' then
  redis.call('HSET', keys, key, digest .. ARGV[6])
end
redis.call('PUBLISH', ARGV[9], ARGV[10] .. ' ' .. version)
return {'appended'}
"""

CONFIRM = """
-- Write again what stands, if a game still has an event, so that replicas which have this have that event.
--
-- KEYS: 1 the game's events (stream), 2 its meta (hash)
-- ARGV: 1 the event's version; 2 its hash (32 bytes)
--
-- Returns 1, or 0 where it is not there

local at = redis.call('HMGET', KEYS[2], 'v', 'archived')
local entry = redis.call('XRANGE', KEYS[1], ARGV[1] .. '-0', ARGV[1] .. '-0')[1]
if not at[2] and (not entry or string.sub(entry[2][4], 1, #ARGV[2]) ~= ARGV[2]) then
  return 0
end
redis.call('HSET', KEYS[2], 'v', at[1])
return 1
"""

CLAIM = """
-- Say which game a request opens: the one that it was given the first time. It is written each time, so that replicas
-- which have this have that.
--
-- KEYS: 1 idempotency keys of openings (hash)
-- ARGV: 1 idempotency key; 2 digest of the body, game
--
-- Returns the digest and the game of the first time

local claimed = redis.call('HGET', KEYS[1], ARGV[1]) or ARGV[2]
redis.call('HSET', KEYS[1], ARGV[1], claimed)
return claimed
"""

SETTLE = """
-- Say how a request ended that was carried out in part, unless it has gone on since.
--
-- KEYS: 1 the game's idempotency keys (hash)
-- ARGV: 1 idempotency key; 2 digest of the request's body; 3 what it has done, as the key tells it; 4 the same with how
--       it ended
--
-- Returns {'settled'} | {'replayed', what was done} | {'unknown'}

local used = redis.call('HGET', KEYS[1], ARGV[1])
if not used then
  return {'unknown'}
end
if used ~= ARGV[2] .. ARGV[3] then
  return {'replayed', string.sub(used, #ARGV[2] + 1)}
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ARGV[4])
return {'settled'}
"""

LOOK = """
-- A page of a game's log, and where the log is at that moment.
--
-- KEYS: 1 the game's events (stream), 2 its meta (hash)
-- ARGV: 1 the first id; 2 the last one; 3 how many there may be
--
-- Returns {version or nil, the archived file or nil, entries}

local at = redis.call('HMGET', KEYS[2], 'v', 'archived')
return {at[1], at[2], redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[2], 'COUNT', ARGV[3])}
"""

ARCHIVE = """
-- Let a game's stream go, now that a file holds its log, unless the game has gone on or is archived already.
--
-- KEYS: 1 the game's events (stream), 2 its meta (hash), 3 its snapshots (hash)
-- ARGV: 1 its version; 2 the hash of that event (32 bytes); 3 the file's name;
--       4 how often it had been restored before the file was begun: a file of before that may be gone
--
-- Returns 1, or 0 where it was left as it is

local at = redis.call('HMGET', KEYS[2], 'v', 'head', 'archived', 'restored')
if at[1] ~= ARGV[1] or at[2] ~= ARGV[2] or at[3] or (at[4] or '0') ~= ARGV[4] then
  return 0
end
-- First what frees memory: after that a script may write where there is none left.
redis.call('UNLINK', KEYS[1], KEYS[3])
redis.call('HSET', KEYS[2], 'archived', ARGV[3])
return 1
"""

RESTORE = """
-- Bring an archived game's log back into its stream.
--
-- KEYS: 1 the game's events (stream), 2 its meta (hash)
-- ARGV: 1 the name of the file that holds it; from 2: fields e and h of each event in turn
--
-- Returns 1, or 0 where it is not archived, or in another file

if redis.call('HGET', KEYS[2], 'archived') ~= ARGV[1] then
  return 0
end
for i = 2, #ARGV, 2 do
  redis.call('XADD', KEYS[1], (i / 2) .. '-0', 'e', ARGV[i], 'h', ARGV[i + 1])
end
redis.call('HDEL', KEYS[2], 'archived')
redis.call('HINCRBY', KEYS[2], 'restored', 1)
return 1
"""

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

NOTE_DELETION = """
-- Note that a game is to be deleted.
--
-- KEYS: 1 deletions that are unfinished (hash), 2 the deleted games (set)
-- ARGV: 1 game id; 2 when and by whom (JSON)

-- First what frees memory: after that a script may write where there is none left.
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('SADD', KEYS[2], ARGV[1])
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

PUSH = """
-- Say in the feed how far games have come, each version once.
--
-- KEYS: 1 the feed (stream); 2 how far it tells of each game (hash)
-- ARGV: 1 how many entries it keeps; 2 channel for the hint; from 3: game, the version that it has come to, and the one
--       after which it begins where the feed has not told of it yet, of each in turn
--
-- Returns how many entries were made

local made = 0
for i = 3, #ARGV, 3 do
  local game, version = ARGV[i], tonumber(ARGV[i + 1])
  local told = tonumber(redis.call('HGET', KEYS[2], game) or ARGV[i + 2])
  if version > told then
    redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'g', game, 'f', told + 1, 'l', version)
    redis.call('HSET', KEYS[2], game, version)
    made = made + 1
  end
end
if made > 0 then
  redis.call('PUBLISH', ARGV[2], made)
end
return made
"""
