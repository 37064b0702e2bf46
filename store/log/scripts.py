"""Lua scripts of games: appends, idempotency, archive, quotas, copies, deletion and the feed."""

from __future__ import annotations

APPEND = """
-- Append events to a game: all of them, or none.
--
-- KEYS: 1 the game's events (stream), 2 its meta (hash), 3 its idempotency keys (hash)
-- ARGV: 1 the version that the writer expects, 0 to open a game; 2 the hash of that event (32 bytes);
--       3 idempotency key, or empty; 4 digest of the request's body; both as short hashes;
--       5 the stored result of the request so far, or empty; 6 its result after these events;
--       7 seed to store when opening a game, or empty; 8 origin of imported events: count, head, signer or -; or empty;
--       9 channel for the hint; 10 game id; 11 maximum number of entries returned for a conflict;
--       12 maximum number of the game's events, 13 of their bytes, 0 for no limit;
--       14 the first and 15 the last of the events that the writer has checked, 16 their digest; or 0, 0, empty;
--       from 17: fields e and h of each event in turn
--
-- Returns {'appended'} | {'replayed', stored result} | {'reused'} | {'unknown'} | {'archived'} | {'suspect'}
--       | {'full', 'events' or 'bytes', current number}
--       | {'conflict', version, entries from the expected version on}

local events, meta, keys = KEYS[1], KEYS[2], KEYS[3]
local expected, key, digest, seed = tonumber(ARGV[1]), ARGV[3], ARGV[4], ARGV[7]

-- Check the key before the version: if this request has already appended its events, the version is newer.
if key ~= '' then
  local used = redis.call('HGET', keys, key)
  if used then
    if string.sub(used, 1, #digest) ~= digest then
      return {'reused'}
    end
    local done = string.sub(used, #digest + 1)
    -- Only a damaged value has no result. The caller reports it.
    if done == '' or done ~= ARGV[5] then
      return {'replayed', done}
    end
  end
end

local at = redis.call('HMGET', meta, 'v', 'head', 'archived', 'bytes', 'suspect')
local version = tonumber(at[1] or '0')
if not version then
  return {'suspect'}
end
-- The meta of a deleted game has no version.
if version == 0 and (expected > 0 or redis.call('EXISTS', meta) == 1) then
  return {'unknown'}
end
if at[3] then
  return {'archived'}
end
if at[5] then
  return {'suspect'}
end
if version > expected then
  return {'conflict', version, redis.call('XRANGE', events, expected .. '-0', '+', 'COUNT', ARGV[11])}
end
-- The stream must contain exactly as many events as the version.
if redis.call('XLEN', events) ~= version then
  return {'suspect'}
end
if version < expected or (version > 0 and at[2] ~= ARGV[2]) then
  return {'conflict', version, {}}
end
if version > 0 then
  local last = redis.call('XRANGE', events, version .. '-0', version .. '-0')[1]
  if not last or string.sub(last[2][4] or '', 1, 32) ~= ARGV[2] then
    return {'suspect'}
  end
end
if ARGV[16] ~= '' then
  local parts = {}
  for _, entry in ipairs(redis.call('XRANGE', events, ARGV[14] .. '-0', ARGV[15] .. '-0')) do
    parts[#parts + 1] = entry[1]
    for _, part in ipairs(entry[2]) do
      parts[#parts + 1] = part
    end
  end
  if redis.sha1hex(table.concat(parts)) ~= ARGV[16] then
    return {'suspect'}
  end
end

local bytes = tonumber(at[4])
if not bytes then
  -- This is the first event, or an earlier release did not count the bytes.
  bytes = version > 0 and redis.call('MEMORY', 'USAGE', events, 'SAMPLES', 0) or 0
end
local most_events, most_bytes, before = tonumber(ARGV[12]), tonumber(ARGV[13]), bytes
for i = 17, #ARGV do
  bytes = bytes + #ARGV[i]
end
if most_events > 0 and version + (#ARGV - 16) / 2 > most_events then
  return {'full', 'events', version}
end
if most_bytes > 0 and bytes > most_bytes then
  return {'full', 'bytes', before}
end
for i = 17, #ARGV, 2 do
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

SUSPECT = """
-- Mark a game whose log may be damaged: nothing is appended until a check of the whole log has removed the mark.
--
-- KEYS: 1 the game's meta (hash)

if redis.call('HEXISTS', KEYS[1], 'v') == 1 then
  redis.call('HSET', KEYS[1], 'suspect', 1)
end
return 1
"""

CONFIRM = """
-- Check that a game has an event. Write its version again, so that replicas with this write also have the event.
--
-- KEYS: 1 the game's events (stream), 2 its meta (hash)
-- ARGV: 1 the event's version; 2 its hash (32 bytes)
--
-- Returns 1, or 0 if the game does not have the event

local at = redis.call('HMGET', KEYS[2], 'v', 'archived')
local entry = redis.call('XRANGE', KEYS[1], ARGV[1] .. '-0', ARGV[1] .. '-0')[1]
if not at[2] and (not entry or string.sub(entry[2][4], 1, #ARGV[2]) ~= ARGV[2]) then
  return 0
end
redis.call('HSET', KEYS[2], 'v', at[1])
return 1
"""

CLAIM = """
-- Return the game that a request opens, which its first attempt chose. Write it each time, so that replicas that have
-- this write also have the first one.
--
-- KEYS: 1 idempotency keys of openings (hash)
-- ARGV: 1 idempotency key; 2 digest of the body, and a game
--
-- Returns the digest and the game of the first attempt

local claimed = redis.call('HGET', KEYS[1], ARGV[1]) or ARGV[2]
redis.call('HSET', KEYS[1], ARGV[1], claimed)
return claimed
"""

SETTLE = """
-- Store why a request stopped early, unless it has continued since.
--
-- KEYS: 1 the game's idempotency keys (hash)
-- ARGV: 1 idempotency key; 2 digest of the request's body; 3 its stored result so far; 4 its final result
--
-- Returns {'settled'} | {'replayed', stored result} | {'unknown'}

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
-- Return a page of a game's log, and the location of the log at that moment.
--
-- KEYS: 1 the game's events (stream), 2 its meta (hash)
-- ARGV: 1 the first id; 2 the last id; 3 maximum number of entries
--
-- Returns {version or nil, hash of the last event or nil, the archived file or nil, entries}

local at = redis.call('HMGET', KEYS[2], 'v', 'head', 'archived')
return {at[1], at[2], at[3], redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[2], 'COUNT', ARGV[3])}
"""

ARCHIVE = """
-- Delete a game's stream after its log was written to a file, unless the game has grown or is archived already.
--
-- KEYS: 1 the game's events (stream), 2 its meta (hash), 3 its snapshots (hash)
-- ARGV: 1 its version; 2 the hash of that event (32 bytes); 3 the file's name;
--       4 how often the log had been restored before the file was written: an older file may have been deleted
--
-- Returns 1, or 0 if nothing was changed

local at = redis.call('HMGET', KEYS[2], 'v', 'head', 'archived', 'restored')
if at[1] ~= ARGV[1] or at[2] ~= ARGV[2] or at[3] or (at[4] or '0') ~= ARGV[4] then
  return 0
end
-- First free memory, because after that a script may write even if memory is full.
redis.call('UNLINK', KEYS[1], KEYS[3])
redis.call('HSET', KEYS[2], 'archived', ARGV[3])
return 1
"""

RESTORE = """
-- Move an archived game's log back into its stream.
--
-- KEYS: 1 the game's events (stream), 2 its meta (hash)
-- ARGV: 1 the name of the archived file; from 2: fields e and h of each event in turn
--
-- Returns 1, or 0 if the game is not archived, or in another file

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
-- Reserve a place for a game, unless the limit is reached.
--
-- KEYS: 1 places (sorted set): game -> time of reservation in seconds; 0 once it is confirmed
-- ARGV: 1 game id; 2 maximum number of places, 0 for no limit; 3 seconds after which a reservation may be stale
--
-- Returns {1 if reserved, else 0; number of other places; some of those that may be stale ...}

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
-- Store fields about a game, if the game exists.
--
-- KEYS: 1 the target (hash), 2 the game's meta (hash)
-- ARGV: names of fields and their values in turn
--
-- Returns 1, or 0 if there is no such game

if redis.call('HEXISTS', KEYS[2], 'v') == 0 then
  return 0
end
-- A key of another type is damaged, and replaced.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'hash' and kind ~= 'none' then
  redis.call('UNLINK', KEYS[1])
end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
"""

COPY = """
-- Return the contents of a game's keys at one moment.
--
-- KEYS: 1 the game's meta (hash); from 2: the other keys to copy
--
-- Returns {each field of the meta before its value}, then for each of the others {type, expiry (ms since 1970, or 0),
--         its values: of a hash or a sorted set each member before its value or score}

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
-- Rename the temporary keys of a restored game to their final names, unless the game exists.
--
-- KEYS: 1 the game's meta (hash); from 2: its other keys; the second half: the temporary keys, in the same order
-- ARGV: 1 channel for the hint; 2 game id
--
-- Returns 1, or 0 if the game existed

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
-- Record that a game will be deleted.
--
-- KEYS: 1 unfinished deletions (hash), 2 the deleted games (set)
-- ARGV: 1 game id; 2 time and user (JSON)

-- First free memory, because after that a script may write even if memory is full.
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('SADD', KEYS[2], ARGV[1])
"""

DELETE = """
-- Delete a game, leaving only its tombstone.
--
-- KEYS: 1 its meta (hash); from 2: all its other keys
-- ARGV: 1 time; 2 user, or empty; 3 channel for the hint; 4 game id
--
-- Returns 1, or 0 if there is no such game (any more)

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
-- Add the progress of games to the feed, each version once.
--
-- KEYS: 1 the feed (stream); 2 the last event of each game in the feed (hash)
-- ARGV: 1 number of entries to keep; 2 channel for the hint; from 3, for each game: its id, its version, and the event
--       after which its first entry begins if the feed has none of it
--
-- Returns the number of added entries

local made = 0
for i = 3, #ARGV, 3 do
  local game, version = ARGV[i], tonumber(ARGV[i + 1])
  local told = tonumber(redis.call('HGET', KEYS[2], game) or '') or tonumber(ARGV[i + 2])
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
