"""The Lua scripts: each runs as one step on the keys of one hash tag, so on a cluster as well (Redis 6.2, Valkey)."""

from __future__ import annotations

APPEND = """
-- Append events to a game, or tell why not. Nothing is written unless all of it is.
--
-- KEYS: 1 the game's events (stream), 2 its meta (hash), 3 its idempotency keys (hash)
-- ARGV: 1 the version that the writer expects, 0 for a game to open; 2 the hash of that event (32 bytes);
--       3 idempotency key, or empty; 4 digest of the request's body; both hashed short
--       5 seed to keep with a game to open, or empty; 6 channel for the hint; 7 game id;
--       8 how many entries a conflict may bring; from 9: fields e and h of each event in turn
--
-- Returns {'appended'} | {'replayed', first, count} | {'reused'} | {'unknown'}
--       | {'conflict', version, entries from the expected version on}

local events, meta, keys = KEYS[1], KEYS[2], KEYS[3]
local expected, key, digest, seed = tonumber(ARGV[1]), ARGV[3], ARGV[4], ARGV[5]

-- The key comes before the version: a repeated request finds a newer version, its own.
if key ~= '' then
  local used = redis.call('HGET', keys, key)
  if used then
    if string.sub(used, 1, #digest) ~= digest then
      return {'reused'}
    end
    local first, count = string.match(used, '^(%d+):(%d+)$', #digest + 1)
    return {'replayed', tonumber(first), tonumber(count)}
  end
end

local at = redis.call('HMGET', meta, 'v', 'head')
local version = tonumber(at[1] or '0')
if version == 0 and expected > 0 then
  return {'unknown'}
end
if version < expected or (version == expected and version > 0 and at[2] ~= ARGV[2]) then
  return {'conflict', version, {}}
end
if version > expected then
  return {'conflict', version, redis.call('XRANGE', events, expected .. '-0', '+', 'COUNT', ARGV[8])}
end

for i = 9, #ARGV, 2 do
  version = version + 1
  redis.call('XADD', events, version .. '-0', 'e', ARGV[i], 'h', ARGV[i + 1])
end
redis.call('HSET', meta, 'v', version, 'head', string.sub(ARGV[#ARGV], 1, 32))
if seed ~= '' then
  redis.call('HSET', meta, 'seed', seed)
end
if key ~= '' then
  redis.call('HSET', keys, key, digest .. (expected + 1) .. ':' .. (version - expected))
end
redis.call('PUBLISH', ARGV[6], ARGV[7] .. ' ' .. version)
return {'appended'}
"""

WRITE_SUMMARY = """
-- Bring a game's entry in the list to a newer version; indexes and tallies follow. Of what it is found by only its
-- status and its result can have changed.
--
-- KEYS: 1 summaries (hash); 2 all games, 3 games by opening, 4 vocabulary (sorted sets); then the tallies (hashes) that
--       its `counted` is for, in order; the indexes of its status and result; those of the others; the indexes that
--       it stands in for good
-- ARGV: 1 game id; 2 its summary (JSON); 3 its version; 4 when it was opened (ms since 1970); 5-7 how many tallies,
--       indexes it stands in now, and indexes it does not there are; from 8: its words
--
-- Returns 1, or 0 where the list is as new already

local id, version = ARGV[1], tonumber(ARGV[3])
local old = redis.call('HGET', KEYS[1], id)
if old and cjson.decode(old).version >= version then
  return 0
end
redis.call('HSET', KEYS[1], id, ARGV[2])
local function count(summary, by)
  for i, fields in ipairs(summary.counted or {}) do
    for _, field in ipairs(fields) do
      redis.call('HINCRBY', KEYS[4 + i], field, by)
    end
  end
end
if old then
  count(cjson.decode(old), -1)
end
count(cjson.decode(ARGV[2]), 1)
local first = 5 + tonumber(ARGV[5])
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

ADD_SHARE = """
-- Add a share link, unless its game has too many.
--
-- KEYS: 1 all links (hash); 2 the tokens of the game's (list)
-- ARGV: 1 token; 2 the link (JSON); 3 how many a game may have
--
-- Returns 1, or 0 where it has as many

if redis.call('LLEN', KEYS[2]) >= tonumber(ARGV[3]) then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('RPUSH', KEYS[2], ARGV[1])
return 1
"""

WRITE_TURNS = """
-- Say how far a game is projected, unless it is so far already.
--
-- KEYS: 1 the game's turns (hash)
-- ARGV: 1 version; 2 turn index (JSON); 3 undos (JSON)
--
-- Returns 1, or 0 where the projection is as new already

if tonumber(redis.call('HGET', KEYS[1], 'v') or '0') >= tonumber(ARGV[1]) then
  return 0
end
redis.call('HSET', KEYS[1], 'v', ARGV[1], 'turns', ARGV[2], 'undos', ARGV[3])
return 1
"""

ADD_SIGNING_KEY = """
-- Put a new signing key on the ring, unless somebody else has put one there since it was looked at.
--
-- KEYS: 1 the ring (list)
-- ARGV: 1 how many keys there were; 2 the new key (JSON); 3 what is left of the last one (JSON), or empty
--
-- Returns 1, or 0 where there are more keys now

if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then
  return 0
end
if ARGV[3] ~= '' then
  redis.call('LSET', KEYS[1], -1, ARGV[3])
end
redis.call('RPUSH', KEYS[1], ARGV[2])
return 1
"""

CREATE_JOB = """
-- Keep a new job, or find the one that the same request made.
--
-- KEYS: 1 jobs (hash), 2 those unfinished (set), 3 idempotency keys (hash), 4 payloads (hash)
-- ARGV: 1 job id; 2 the job (JSON); 3 its payload, or empty; 4 idempotency key, or empty; 5 digest of the body
--
-- Returns the job that stands, or nil where the key was used for another body

if ARGV[4] ~= '' then
  local used = redis.call('HGET', KEYS[3], ARGV[4])
  if used then
    if string.sub(used, 1, #ARGV[5]) ~= ARGV[5] then
      return nil
    end
    return redis.call('HGET', KEYS[1], string.sub(used, #ARGV[5] + 1))
  end
  redis.call('HSET', KEYS[3], ARGV[4], ARGV[5] .. ARGV[1])
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('SADD', KEYS[2], ARGV[1])
if ARGV[3] ~= '' then
  redis.call('HSET', KEYS[4], ARGV[1], ARGV[3])
end
return ARGV[2]
"""

UPDATE_JOB = """
-- Change a job, unless it is done.
--
-- KEYS: 1 jobs (hash), 2 those unfinished (set), 3 payloads (hash)
-- ARGV: 1 job id; 2 the job as it is to be (JSON); 3 '1' where it is over
--
-- Returns the job that stands

local old = redis.call('HGET', KEYS[1], ARGV[1])
if old and cjson.decode(old).status == 'done' then
  return old
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if ARGV[3] == '1' then
  redis.call('SREM', KEYS[2], ARGV[1])
  redis.call('HDEL', KEYS[3], ARGV[1])
else
  redis.call('SADD', KEYS[2], ARGV[1])
end
return ARGV[2]
"""
