"""Lua scripts of tokens, recorder names, share links, signing keys and the access log."""

from __future__ import annotations

_GAMES_OF = """
-- Return the games in which a recorder uses a name; all games if the entry is damaged.
local function games_of(names, name)
  local is_read, games = pcall(cjson.decode, redis.call('HGET', names, name) or '{}')
  return is_read and type(games) == 'table' and games or {['*'] = true}
end
"""

LET_IN = (
    _GAMES_OF
    + """
-- Store a new token, unless another recorder uses its name, or its creator has ended or reached a limit.
--
-- KEYS: 1 tokens (hash), 2 names (hash), 3 the ids of all tokens (sorted set); then the other lists (sorted sets) that
--       contain it: first the set of its game, last the set of its creator
-- ARGV: 1 its id; 2 the token (JSON); 3 the name under which it records, or empty; 4 its game, or '*';
--       5 '1' if another recorder may use the name; 6 the id of its creator, or empty; 7 maximum number of tokens of a
--       creator
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
  local games = games_of(KEYS[2], ARGV[3])
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
)

TAKE_NAMES = (
    _GAMES_OF
    + """
-- Reserve names in a game.
--
-- KEYS: 1 names (hash)
-- ARGV: 1 the game; from 2: the names

for i = 2, #ARGV do
  local games = games_of(KEYS[1], ARGV[i])
  games[ARGV[1]] = true
  redis.call('HSET', KEYS[1], ARGV[i], cjson.encode(games))
end
return #ARGV - 1
"""
)

SHUT_OUT = """
-- Revoke a token and all tokens that it created. The tokens name the lists of games and creators, whose keys all have
-- the same hash tag.
--
-- KEYS: 1 tokens (hash), 2 the ids of all tokens (sorted set)
-- ARGV: 1 its id; 2 channel for the hint
--
-- Returns the ids of the revoked tokens

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
    -- A damaged token can be revoked, too, so its members are found by their text.
    local game, given_by = string.match(kept, '"game":"([^"]+)"'), string.match(kept, '"given_by":"([^"]+)"')
    if game then
      redis.call('ZREM', '{access}:of:' .. game, id)
    end
    if given_by then
      redis.call('ZREM', '{access}:given:' .. given_by, id)
    end
    redis.call('HDEL', KEYS[1], id)
    redis.call('ZREM', KEYS[2], id)
    redis.call('PUBLISH', ARGV[2], id)
    table.insert(ended, id)
  end
end
return ended
"""

ADD_SHARE = """
-- Add a share link, unless its game has reached the limit.
--
-- KEYS: 1 all links (hash); 2 the tokens of the game's links (list)
-- ARGV: 1 token; 2 the link (JSON); 3 maximum number of links of a game
--
-- Returns 1, or 0 if the limit is reached

if redis.call('LLEN', KEYS[2]) >= tonumber(ARGV[3]) then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('RPUSH', KEYS[2], ARGV[1])
return 1
"""

NOTE = """
-- Log a use of permissions. The ids are unique over both streams, in order of logging, and contain the time.
--
-- KEYS: 1 the stream; 2 the id of the newest entry of both streams
-- ARGV: 1 the use (JSON); 2 number of entries to keep
--
-- Returns the id

local time = redis.call('TIME')
local moment = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local id = string.format('%d', math.max(moment, (tonumber(redis.call('GET', KEYS[2]) or '') or 0) + 1))
-- First free memory, because after that a script may write even if memory is full. Otherwise nobody could delete a game
-- there, or look at one as another seat.
redis.call('XTRIM', KEYS[1], 'MAXLEN', ARGV[2] - 1)
redis.call('SET', KEYS[2], id)
redis.call('XADD', KEYS[1], id .. '-0', 'use', ARGV[1])
return id
"""

ADD_SIGNING_KEY = """
-- Add a new signing key to the ring, unless another process has added one since the ring was read.
--
-- KEYS: 1 the ring (list)
-- ARGV: 1 expected number of keys; 2 the new key (JSON); 3 the last key after its retirement (JSON), or empty
--
-- Returns 1, or 0 if there are more keys now

if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then
  return 0
end
if ARGV[3] ~= '' then
  redis.call('LSET', KEYS[1], -1, ARGV[3])
end
redis.call('RPUSH', KEYS[1], ARGV[2])
return 1
"""
