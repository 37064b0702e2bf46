"""The Lua scripts of the jobs."""

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
