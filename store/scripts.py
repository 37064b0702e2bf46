"""The Lua scripts: each runs as one step on the keys of one hash tag, so on a cluster as well (Redis 6.2, Valkey)."""

from __future__ import annotations

APPEND = """
-- Append events to a game, or tell why not. Nothing is written unless all of it is.
--
-- KEYS: 1 the game's events (stream), 2 its meta (hash), 3 its idempotency keys (hash)
-- ARGV: 1 the version that the writer expects, 0 for a game to open; 2 the hash of that event (32 bytes);
--       3 idempotency key (12 bytes), or empty; 4 digest of the request's body (8 bytes)
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
    if string.sub(used, 1, 8) ~= digest then
      return {'reused'}
    end
    local first, count = string.match(used, '^(%d+):(%d+)$', 9)
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
redis.call('HSET', meta, 'v', version, 'head', ARGV[#ARGV])
if seed ~= '' then
  redis.call('HSET', meta, 'seed', seed)
end
if key ~= '' then
  redis.call('HSET', keys, key, digest .. (expected + 1) .. ':' .. (version - expected))
end
redis.call('PUBLISH', ARGV[6], ARGV[7] .. ' ' .. version)
return {'appended'}
"""
