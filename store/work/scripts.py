"""Lua scripts of jobs and webhooks."""

from __future__ import annotations

_REPLACE = """
-- A key of another type is damaged, and replaced. Otherwise the script would stop in the middle.
local function replace(key, kind)
  local found = redis.call('TYPE', key).ok
  if found ~= kind and found ~= 'none' then
    redis.call('UNLINK', key)
  end
end
"""

TAKE_SHARE = """
-- Commit to a share of a seed, or reveal it once every share is committed.
--
-- KEYS: 1 the mix (hash)
-- ARGV: 1 the commitment, 64 digits; 2 the share, or empty
--
-- Returns 'taken', 'unknown' mix, 'full', or 'early'

local size = redis.call('HGET', KEYS[1], 'size')
if not size then
  return 'unknown'
end
local committed = 0
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if #field == 64 then
    committed = committed + 1
  end
end
local known = redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1
if not known and committed >= tonumber(size) then
  return 'full'
end
if ARGV[2] ~= '' and (not known or committed < tonumber(size)) then
  return 'early'
end
if not known or ARGV[2] ~= '' then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
end
return 'taken'
"""

KEEP_NEWEST = """
-- Store a report on a version of a game, if the game exists and there is none on a later version.
--
-- KEYS: 1 the reports (hash), 2 the game's meta (hash)
-- ARGV: 1 the report's field, 2 the report, 3 the field of its version, 4 the version
--
-- Returns 1, or 0 if nothing was stored

-- A version that is not a number is damaged, and replaced.
local known = tonumber(redis.call('HGET', KEYS[1], ARGV[3]) or '') or 0
if redis.call('HEXISTS', KEYS[2], 'v') == 0 or known > tonumber(ARGV[4]) then
  return 0
end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
"""

USE_MIX = """
-- Assign a mix to a game, unless another game has it.
--
-- KEYS: 1 the mix (hash)
-- ARGV: 1 game id
--
-- Returns the id of the game that has it, or nil if there is no such mix

if redis.call('HEXISTS', KEYS[1], 'size') == 0 then
  return nil
end
redis.call('HSETNX', KEYS[1], 'game', ARGV[1])
return redis.call('HGET', KEYS[1], 'game')
"""

CREATE_JOB = """
-- Store a new job, or return an existing one: of the same request, or an unfinished one of the same task.
--
-- KEYS: 1 jobs (hash), 2 the unfinished ones (set), 3 idempotency keys (hash), 4 sizes of inputs (hash),
--       5 tasks that must not run twice at a time (hash), 6 the quota of each unfinished job (hash)
-- ARGV: 1 job id; 2 the job (JSON); 3 bytes of its input; 4 idempotency key, or empty; 5 digest of the body;
--       6 its task, or empty; 7 maximum number of unfinished jobs; 8 maximum bytes of their inputs;
--       9 its quota, or empty; 10, 11 like 7 and 8, for one quota
--
-- Returns the stored job, nil if the key was used for a different request, 0 if a limit is reached, or 1 if a
-- limit of the quota is reached

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
local unfinished = doing and redis.call('HGET', KEYS[1], doing)
if unfinished then
  id, job = doing, unfinished
  if redis.call('HGET', KEYS[6], doing) ~= ARGV[9] then
    redis.call('HDEL', KEYS[6], doing)
  end
else
  local held, own, own_held = tonumber(ARGV[3]), 0, tonumber(ARGV[3])
  for _, bytes in ipairs(redis.call('HVALS', KEYS[4])) do
    held = held + (tonumber(bytes) or 0)
  end
  if redis.call('SCARD', KEYS[2]) >= tonumber(ARGV[7]) or held > tonumber(ARGV[8]) then
    return 0
  end
  if ARGV[9] ~= '' then
    local owners = redis.call('HGETALL', KEYS[6])
    for i = 1, #owners, 2 do
      if owners[i + 1] == ARGV[9] then
        own = own + 1
        own_held = own_held + (tonumber(redis.call('HGET', KEYS[4], owners[i]) or '') or 0)
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
-- KEYS: 1 jobs (hash), 2 the unfinished ones (set), 3 sizes of inputs (hash), 4 tasks that must not run twice at a time
--       (hash), 5 the quota of each unfinished job (hash)
-- ARGV: 1 job id; 2 the changed job (JSON); 3 '1' if it has ended; 4 its task, or empty
--
-- Returns the stored job

local old = redis.call('HGET', KEYS[1], ARGV[1])
local is_read, known = pcall(cjson.decode, old or '')
if is_read and (known.status == 'done' or known.forgotten) then
  return old
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

ADD_WEBHOOK = """
-- Store a webhook, unless a limit is reached.
--
-- KEYS: 1 webhooks (hash); 2 the token that each counts for (hash: webhook -> token)
-- ARGV: 1 its id; 2 JSON of it; 3 the token that it counts for; 4 maximum number per token; 5 maximum number in total
--
-- Returns 1, or 0 if a limit is reached

local mine = 0
for _, maker in ipairs(redis.call('HVALS', KEYS[2])) do
  if maker == ARGV[3] then
    mine = mine + 1
  end
end
if mine >= tonumber(ARGV[4]) or redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[5]) then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
return 1
"""

OWE = (
    _REPLACE
    + """
-- Queue events for webhooks, and store how far the feed was read, in one step.
--
-- KEYS: 1 the last read feed entry (string); 2 webhooks (hash); then for each line: the queue (hash), due times (zset)
-- ARGV: 1 the expected last read entry, 2 the new one, both empty if the feed was not read; 3 now in ms;
--       then for each line: webhook, line, its first event, its last
--
-- Returns 1, or 0 if another entry was read last

if ARGV[2] ~= '' then
  if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
    return 0
  end
  redis.call('SET', KEYS[1], ARGV[2])
end
local at = 3
for i = 4, #ARGV, 4 do
  local owed, due, line = KEYS[at], KEYS[at + 1], ARGV[i + 1]
  at = at + 2
  if redis.call('HEXISTS', KEYS[2], ARGV[i]) == 1 then
    replace(owed, 'hash')
    replace(due, 'zset')
    local known = redis.call('HGET', owed, line) or ''
    local next, last, attempts, since = string.match(known, '^(%d+) (%d+) (%d+) (%d+)$')
    -- A damaged line is replaced.
    if not next then
      redis.call('HSET', owed, line, ARGV[i + 2] .. ' ' .. ARGV[i + 3] .. ' 0 0')
      redis.call('ZADD', due, ARGV[3], line)
    elseif tonumber(ARGV[i + 3]) > tonumber(last) then
      redis.call('HSET', owed, line, next .. ' ' .. ARGV[i + 3] .. ' ' .. attempts .. ' ' .. since)
    end
  end
end
return 1
"""
)

SETTLE = (
    _REPLACE
    + """
-- Store the result of the next event of a line, and the rest of the line.
--
-- KEYS: 1 webhooks (hash), 2 the queue (hash), 3 due times (zset), 4 deliveries (hash), 5 times of last attempts
--       (zset), 6 failing webhooks (hash), 7 times of last successes (hash)
-- ARGV: 1 webhook; 2 line; 3 the event, or the last of several that the webhook did not request; 4 the result: 'sent',
--       'later', 'given_up', 'ended' (the webhook ends, too), 'passed', 'dropped'; 5 now in ms;
--       6 time of the next attempt, in ms; 7 its delivery, or empty; 8 JSON of that; 9 number of deliveries to keep
--
-- Returns 1 if the webhook starts to fail now, else 0

if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 0
end
local id, line, came = ARGV[1], ARGV[2], ARGV[4]
replace(KEYS[2], 'hash')
replace(KEYS[3], 'zset')
replace(KEYS[4], 'hash')
replace(KEYS[5], 'zset')
if ARGV[7] ~= '' then
  redis.call('HSET', KEYS[4], ARGV[7], ARGV[8])
  redis.call('ZADD', KEYS[5], ARGV[5], ARGV[7])
  local over = redis.call('ZCARD', KEYS[5]) - tonumber(ARGV[9])
  if over > 0 then
    local popped = redis.call('ZPOPMIN', KEYS[5], over)
    for i = 1, #popped, 2 do
      redis.call('HDEL', KEYS[4], popped[i])
    end
  end
end
local known = redis.call('HGET', KEYS[2], line)
local _, last, attempts, since = string.match(known or '', '^(%d+) (%d+) (%d+) (%d+)$')
last, attempts, since = last or '0', attempts or '0', since or '0'
local reached, fails = tonumber(redis.call('HGET', KEYS[7], id) or '') or 0, 0
if came == 'sent' then
  redis.call('HSET', KEYS[7], id, ARGV[5])
  redis.call('HDEL', KEYS[6], id)
elseif came == 'ended' or (came == 'given_up' and reached < tonumber(since)) then
  fails = redis.call('HSETNX', KEYS[6], id, ARGV[5])
end
if not known then
  return fails
end
if came == 'dropped' then
  redis.call('HDEL', KEYS[2], line)
  redis.call('ZREM', KEYS[3], line)
elseif came == 'later' then
  local began = since == '0' and ARGV[5] or since
  redis.call('HSET', KEYS[2], line, ARGV[3] .. ' ' .. last .. ' ' .. (tonumber(attempts) + 1) .. ' ' .. began)
  redis.call('ZADD', KEYS[3], ARGV[6], line)
elseif tonumber(ARGV[3]) >= tonumber(last) then
  redis.call('HDEL', KEYS[2], line)
  redis.call('ZREM', KEYS[3], line)
else
  redis.call('HSET', KEYS[2], line, (tonumber(ARGV[3]) + 1) .. ' ' .. last .. ' 0 0')
  redis.call('ZADD', KEYS[3], ARGV[5], line)
end
return fails
"""
)

HOLD = """
-- Take or renew a lock that only one process has at a time.
--
-- KEYS: 1 the lock (string)
-- ARGV: 1 the process; 2 duration in ms
--
-- Returns 1 if the process has it, else 0

local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""

LET_GO = """
-- Release a lock.
--
-- KEYS: 1 the lock (string)
-- ARGV: 1 the process

if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('DEL', KEYS[1])
end
"""
