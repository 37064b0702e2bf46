"""The Lua scripts of a game's log: what is appended to it, how far a request got, and its stay in the archive."""

from __future__ import annotations

APPEND = """
-- Append events to a game, or tell why not. Nothing is written unless all of it is.
--
-- KEYS: 1 the game's events (stream), 2 its meta (hash), 3 its idempotency keys (hash)
-- ARGV: 1 the version that the writer expects, 0 for a game to open; 2 the hash of that event (32 bytes);
--       3 idempotency key, or empty; 4 digest of the request's body; both hashed short
--       5 what the request has done so far, as the key tells it, or empty; 6 the same with these events;
--       7 seed to keep with a game to open, or empty; 8 channel for the hint; 9 game id;
--       10 how many entries a conflict may bring; 11 how many events the game may have, and 12 how many bytes of them,
--       0 for any number; from 13: fields e and h of each event in turn
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
  return {'conflict', version, redis.call('XRANGE', events, expected .. '-0', '+', 'COUNT', ARGV[10])}
end

local bytes = tonumber(at[4])
if not bytes then
  -- It is the first, or was written before this was counted.
  bytes = version > 0 and redis.call('MEMORY', 'USAGE', events, 'SAMPLES', 0) or 0
end
local most_events, most_bytes, before = tonumber(ARGV[11]), tonumber(ARGV[12]), bytes
for i = 13, #ARGV do
  bytes = bytes + #ARGV[i]
end
if most_events > 0 and version + (#ARGV - 12) / 2 > most_events then
  return {'full', 'events', version}
end
if most_bytes > 0 and bytes > most_bytes then
  return {'full', 'bytes', before}
end
for i = 13, #ARGV, 2 do
  version = version + 1
  redis.call('XADD', events, version .. '-0', 'e', ARGV[i], 'h', ARGV[i + 1])
end
redis.call('HSET', meta, 'v', version, 'head', string.sub(ARGV[#ARGV], 1, 32), 'bytes', string.format('%d', bytes))
if seed ~= '' then
  redis.call('HSET', meta, 'seed', seed)
end
if key ~= '' then
  redis.call('HSET', keys, key, digest .. ARGV[6])
end
redis.call('PUBLISH', ARGV[8], ARGV[9] .. ' ' .. version)
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
