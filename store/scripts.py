"""The Lua scripts: each runs as one step on the keys of one hash tag, so on a cluster as well (Redis 6.2, Valkey)."""

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

LET_IN = """
-- Keep a new token, unless its name is another's, or whoever gives it may not, or no more.
--
-- KEYS: 1 tokens (hash), 2 names (hash), 3 the ids of all tokens (sorted set); then the lists (sorted sets) in which it
--       stands besides: that of its game, and last that of its giver
-- ARGV: 1 its id; 2 the token (JSON); 3 the name under which it records, or empty; 4 its game, or '*';
--       5 '1' where the name may be another's; 6 the id of its giver, or empty; 7 how many a giver may have given
--
-- Returns 'created' | 'taken' | 'gone' | 'many'

if ARGV[6] ~= '' then
  if redis.call('HEXISTS', KEYS[1], ARGV[6]) == 0 then
    return 'gone'
  end
  if redis.call('ZCARD', KEYS[#KEYS]) >= (ARGV[7] == 'inf' and math.huge or tonumber(ARGV[7])) then
    return 'many'
  end
end
if ARGV[3] ~= '' then
  local games = cjson.decode(redis.call('HGET', KEYS[2], ARGV[3]) or '{}')
  if ARGV[5] ~= '1' then
    if games['*'] or games[ARGV[4]] or (ARGV[4] == '*' and next(games)) then
      return 'taken'
    end
  end
  games[ARGV[4]] = true
  redis.call('HSET', KEYS[2], ARGV[3], cjson.encode(games))
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
for i = 3, #KEYS do
  redis.call('ZADD', KEYS[i], 0, ARGV[1])
end
return 'created'
"""

TAKE_NAMES = """
-- Have names be somebody's at a game.
--
-- KEYS: 1 names (hash)
-- ARGV: 1 the game; from 2: the names

for i = 2, #ARGV do
  local games = cjson.decode(redis.call('HGET', KEYS[1], ARGV[i]) or '{}')
  games[ARGV[1]] = true
  redis.call('HSET', KEYS[1], ARGV[i], cjson.encode(games))
end
return #ARGV - 1
"""

SHUT_OUT = """
-- End a token and all that it gave. The lists of games and givers are found by what the tokens say: all stand under one
-- hash tag.
--
-- KEYS: 1 tokens (hash), 2 the ids of all tokens (sorted set)
-- ARGV: 1 its id; 2 channel for the hint
--
-- Returns the ids of those that ended

local ended, waiting = {}, {ARGV[1]}
while #waiting > 0 do
  local id = table.remove(waiting)
  local given = '{access}:given:' .. id
  for _, child in ipairs(redis.call('ZRANGE', given, 0, -1)) do
    table.insert(waiting, child)
  end
  redis.call('DEL', given)
  local kept = redis.call('HGET', KEYS[1], id)
  if kept then
    local token = cjson.decode(kept).token
    if token.game then
      redis.call('ZREM', '{access}:of:' .. token.game, id)
    end
    if token.given_by then
      redis.call('ZREM', '{access}:given:' .. token.given_by, id)
    end
    redis.call('HDEL', KEYS[1], id)
    redis.call('ZREM', KEYS[2], id)
    redis.call('PUBLISH', ARGV[2], id)
    table.insert(ended, id)
  end
end
return ended
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
-- Keep a new job, or find the one that the same request made, or that does the same and is not over.
--
-- KEYS: 1 jobs (hash), 2 those unfinished (set), 3 idempotency keys (hash), 4 how much they work on (hash),
--       5 what is not to be done twice at a time (hash), 6 whose share of the work they take (hash)
-- ARGV: 1 job id; 2 the job (JSON); 3 bytes that it works on; 4 idempotency key, or empty; 5 digest of the body;
--       6 what it does, or empty; 7 how many jobs may be unfinished; 8 how many bytes they may work on;
--       9 whose share it takes, or empty; 10, 11 as 7 and 8, of one owner
--
-- Returns the job that stands, or nil where the key was used for another body, or 0 where there are too many, or
-- 1 where there are too many of that owner

if ARGV[4] ~= '' then
  local used = redis.call('HGET', KEYS[3], ARGV[4])
  if used then
    if string.sub(used, 1, #ARGV[5]) ~= ARGV[5] then
      return nil
    end
    return redis.call('HGET', KEYS[1], string.sub(used, #ARGV[5] + 1))
  end
end
local id, job = ARGV[1], ARGV[2]
local doing = ARGV[6] ~= '' and redis.call('HGET', KEYS[5], ARGV[6])
if doing then
  id, job = doing, redis.call('HGET', KEYS[1], doing)
  if redis.call('HGET', KEYS[6], doing) ~= ARGV[9] then
    redis.call('HDEL', KEYS[6], doing)
  end
else
  local held, own, own_held = tonumber(ARGV[3]), 0, tonumber(ARGV[3])
  for _, bytes in ipairs(redis.call('HVALS', KEYS[4])) do
    held = held + tonumber(bytes)
  end
  if redis.call('SCARD', KEYS[2]) >= tonumber(ARGV[7]) or held > tonumber(ARGV[8]) then
    return 0
  end
  if ARGV[9] ~= '' then
    local owners = redis.call('HGETALL', KEYS[6])
    for i = 1, #owners, 2 do
      if owners[i + 1] == ARGV[9] then
        own = own + 1
        own_held = own_held + tonumber(redis.call('HGET', KEYS[4], owners[i]) or '0')
      end
    end
    if own >= tonumber(ARGV[10]) or own_held > tonumber(ARGV[11]) then
      return 1
    end
    redis.call('HSET', KEYS[6], id, ARGV[9])
  end
  redis.call('HSET', KEYS[1], id, job)
  redis.call('SADD', KEYS[2], id)
  if ARGV[3] ~= '0' then
    redis.call('HSET', KEYS[4], id, ARGV[3])
  end
  if ARGV[6] ~= '' then
    redis.call('HSET', KEYS[5], ARGV[6], id)
  end
end
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[3], ARGV[4], ARGV[5] .. id)
end
return job
"""

UPDATE_JOB = """
-- Change a job, unless it is done or forgotten.
--
-- KEYS: 1 jobs (hash), 2 those unfinished (set), 3 how much they work on (hash), 4 what is not to be done twice at a
--       time (hash), 5 whose share of the work they take (hash)
-- ARGV: 1 job id; 2 the job as it is to be (JSON); 3 '1' where it is over; 4 what it does, or empty
--
-- Returns the job that stands

local old = redis.call('HGET', KEYS[1], ARGV[1])
if old then
  local known = cjson.decode(old)
  if known.status == 'done' or known.forgotten then
    return old
  end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if ARGV[3] == '1' then
  redis.call('SREM', KEYS[2], ARGV[1])
  redis.call('HDEL', KEYS[3], ARGV[1])
  redis.call('HDEL', KEYS[5], ARGV[1])
  if redis.call('HGET', KEYS[4], ARGV[4]) == ARGV[1] then
    redis.call('HDEL', KEYS[4], ARGV[4])
  end
else
  redis.call('SADD', KEYS[2], ARGV[1])
end
return ARGV[2]
"""

PROBE = """
-- Write, to see whether it can be.
--
-- KEYS: 1 a key that is for nothing else

redis.call('SET', KEYS[1], '')
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
return 1
"""

NOTE = """
-- Note a use of rights: in one order with those of the other stream, by ids that no two have and that tell the time.
--
-- KEYS: 1 the stream; 2 the id of the newest entry of either
-- ARGV: 1 the use (JSON); 2 how many are kept
--
-- Returns the id

local time = redis.call('TIME')
local moment = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local id = string.format('%d', math.max(moment, tonumber(redis.call('GET', KEYS[2]) or '0') + 1))
redis.call('SET', KEYS[2], id)
redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[2], id .. '-0', 'use', ARGV[1])
return id
"""
