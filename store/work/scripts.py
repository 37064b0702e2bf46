"""Lua scripts of jobs and webhooks."""

from __future__ import annotations

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

ADD_WEBHOOK = """
-- Keep a webhook, unless there are as many as there may be.
--
-- KEYS: 1 webhooks (hash); 2 the token that each counts for (hash: webhook -> token)
-- ARGV: 1 its id; 2 JSON of it; 3 the token that it counts for; 4 how many one may have; 5 how many there may be in all
--
-- Returns 1, or 0 where there are too many

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

OWE = """
-- Owe events to webhooks, and note how far the feed was read for it: all of it or nothing.
--
-- KEYS: 1 how far it was read (string); 2 webhooks (hash); then of each line: what is owed (hash), when (zset)
-- ARGV: 1 how far it has to have been read, 2 how far it is then, both empty where that is not it; 3 now in ms;
--       then of each line: webhook, line, its first event, its last
--
-- Returns 1, or 0 where it was read otherwise

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
    local known = redis.call('HGET', owed, line)
    if not known then
      redis.call('HSET', owed, line, ARGV[i + 2] .. ' ' .. ARGV[i + 3] .. ' 0 0')
      redis.call('ZADD', due, ARGV[3], line)
    else
      local next, last, attempts, since = string.match(known, '(%d+) (%d+) (%d+) (%d+)')
      if tonumber(ARGV[i + 3]) > tonumber(last) then
        redis.call('HSET', owed, line, next .. ' ' .. ARGV[i + 3] .. ' ' .. attempts .. ' ' .. since)
      end
    end
  end
end
return 1
"""

SETTLE = """
-- Note what came of the next event of a line, and what is owed then.
--
-- KEYS: 1 webhooks (hash), 2 owed (hash), 3 due (zset), 4 deliveries (hash), 5 when each was tried last (zset),
--       6 failing webhooks (hash), 7 when each was reached last (hash)
-- ARGV: 1 webhook; 2 line; 3 the event that it is about, or the last of those that are none of its; 4 what came of it:
--       'sent', 'later', 'given_up', 'ended' (and so has the webhook), 'passed', 'dropped'; 5 now in ms;
--       6 when it is tried again, in ms; 7 its delivery, or empty; 8 JSON of that; 9 how many deliveries are kept
--
-- Returns 1 where the webhook fails from now on, else 0

if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 0
end
local id, line, came = ARGV[1], ARGV[2], ARGV[4]
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
local next, last, attempts, since = string.match(known or '0 0 0 0', '(%d+) (%d+) (%d+) (%d+)')
local reached, fails = tonumber(redis.call('HGET', KEYS[7], id) or '0'), 0
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

HOLD = """
-- Take or keep a lease that one process has at a time.
--
-- KEYS: 1 the lease (string)
-- ARGV: 1 who; 2 for how many ms
--
-- Returns 1 where it has it, else 0

local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""

LET_GO = """
-- Give a lease back.
--
-- KEYS: 1 the lease (string)
-- ARGV: 1 who has it

if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('DEL', KEYS[1])
end
"""
