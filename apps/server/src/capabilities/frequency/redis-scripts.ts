/**
 * All that is known of a user is one hash, so that a Cluster keeps it on one node:
 * `c<kind>.<key>` = `<stamp> <impressions>` of the window that was counted last, and
 * `h<hold>` = `<end in ms> <count field> <count field> …`.
 */

/** What the scripts share. A window of later than now was counted by a node that is ahead: it counts. */
const SHARED = `
local key = KEYS[1]
local now = tonumber(ARGV[1])
local ttl = tonumber(ARGV[2])
local function counted(field, stamp)
  local value = redis.call('hget', key, field)
  if not value then return 0 end
  local at, impressions = string.match(value, '^(%d+) (%d+)$')
  if tonumber(at) < stamp then return 0 end
  return tonumber(impressions), tonumber(at)
end
local function keep()
  if redis.call('pttl', key) < ttl then redis.call('pexpire', key, ttl) end
end
`

/** ARGV: now, ttl, end, hold, fields of a user at most, then field, stamp, maximum of each cap. */
export const HOLD = `${SHARED}
local fields = redis.call('hgetall', key)
local held = {}
local ended = {}
for i = 1, #fields, 2 do
  if string.sub(fields[i], 1, 1) == 'h' then
    local names = string.gmatch(fields[i + 1], '%S+')
    if tonumber(names()) > now then
      for name in names do held[name] = (held[name] or 0) + 1 end
    else
      ended[#ended + 1] = fields[i]
    end
  end
end
for i = 1, #ended do redis.call('hdel', key, ended[i]) end
if #fields / 2 - #ended >= tonumber(ARGV[5]) then return 0 end
local own = {}
for i = 6, #ARGV, 3 do
  local field = ARGV[i]
  if counted(field, tonumber(ARGV[i + 1])) + (held[field] or 0) >= tonumber(ARGV[i + 2]) then
    return 0
  end
  own[field] = true
end
local value = ARGV[3]
for field in pairs(own) do value = value .. ' ' .. field end
redis.call('hset', key, 'h' .. ARGV[4], value)
keep()
return 1
`

/** ARGV: now, ttl, hold, end. A hold that has ended stays so. */
export const PROLONG = `${SHARED}
local value = redis.call('hget', key, 'h' .. ARGV[3])
if not value or tonumber(string.match(value, '^%S+')) <= now then return 0 end
redis.call('hset', key, 'h' .. ARGV[3], (string.gsub(value, '^%S+', ARGV[4], 1)))
keep()
return 1
`

/**
 * ARGV: now, ttl, then field, stamp and impressions of each count; none is lowered, and none of a
 * later window is lost to a node that is behind.
 */
export const RESTORE = `${SHARED}
for i = 3, #ARGV, 3 do
  local stamp = tonumber(ARGV[i + 1])
  local impressions, at = counted(ARGV[i], stamp)
  if (at or stamp) == stamp and impressions < tonumber(ARGV[i + 2]) then
    redis.call('hset', key, ARGV[i], ARGV[i + 1] .. ' ' .. ARGV[i + 2])
  end
end
keep()
return 1
`

export const FORGET = `
local counts = 0
for _, field in ipairs(redis.call('hkeys', KEYS[1])) do
  if string.sub(field, 1, 1) == 'c' then counts = counts + 1 end
end
redis.call('del', KEYS[1])
return counts
`
