/**
 * Everything about a user is one hash, so that a Cluster keeps it on one node: `c<kind>.<key>` =
 * `<stamp> <impressions>` of the newest counted window, and `h<hold>` = `<end in ms> <count field>
 * <count field> …`.
 */

/**
 * For many users at once: one line each, with all names and values of the hash separated by commas.
 */
export const READ = `
local lines = {}
for i = 1, #KEYS do lines[i] = table.concat(redis.call('hgetall', KEYS[i]), ',') end
return table.concat(lines, '\\n')
`

/**
 * Shared by the scripts. A window later than now was counted by a node whose clock is ahead: it
 * counts.
 */
const SHARED = `
local now = tonumber(ARGV[1])
local function counted(key, field, stamp)
  local value = redis.call('hget', key, field)
  if not value then return 0 end
  local at, impressions = string.match(value, '^(%d+) (%d+)$')
  if tonumber(at) < stamp then return 0 end
  return tonumber(impressions), tonumber(at)
end
local function keep(key, ttl)
  if redis.call('pttl', key) < tonumber(ttl) then redis.call('pexpire', key, ttl) end
end
`

/**
 * For many users, one after the other. Returns 1 or 0 for each. ARGV: now, maximum fields per user,
 * then for each user ttl, end, hold, number of caps, and for each cap field, stamp, maximum.
 */
export const HOLD = `${SHARED}
local fields_max = tonumber(ARGV[2])
local function has_room(key, first, last)
  local fields = redis.call('hgetall', key)
  local held = {}
  local open = #fields / 2
  for i = 1, #fields, 2 do
    if string.byte(fields[i]) == 104 then
      local names = string.gmatch(fields[i + 1], '%S+')
      if tonumber(names()) > now then
        for name in names do held[name] = (held[name] or 0) + 1 end
      else
        redis.call('hdel', key, fields[i])
        open = open - 1
      end
    end
  end
  if open >= fields_max then return false end
  for i = first, last, 3 do
    local field = ARGV[i]
    local seen = counted(key, field, tonumber(ARGV[i + 1])) + (held[field] or 0)
    if seen >= tonumber(ARGV[i + 2]) then return false end
  end
  return true
end
local answers = {}
local at = 3
for i = 1, #KEYS do
  local key = KEYS[i]
  local first = at + 4
  local last = first + 3 * tonumber(ARGV[at + 3]) - 1
  if has_room(key, first, last) then
    local value = ARGV[at + 1]
    local own = {}
    for j = first, last, 3 do
      local field = ARGV[j]
      if not own[field] then value = value .. ' ' .. field end
      own[field] = true
    end
    redis.call('hset', key, 'h' .. ARGV[at + 2], value)
    keep(key, ARGV[at])
    answers[i] = '1'
  else
    answers[i] = '0'
  end
  at = last + 1
end
return table.concat(answers)
`

/** ARGV: now, ttl, hold, end. A hold that has ended stays ended. */
export const PROLONG = `${SHARED}
local key = KEYS[1]
local value = redis.call('hget', key, 'h' .. ARGV[3])
if not value or tonumber(string.match(value, '^%S+')) <= now then return 0 end
redis.call('hset', key, 'h' .. ARGV[3], (string.gsub(value, '^%S+', ARGV[4], 1)))
keep(key, ARGV[2])
return 1
`

/**
 * ARGV: now, ttl, number of ended holds, each hold, then field, stamp and impressions of each
 * count. Never lowers a count, and never replaces a later window with one of a node whose clock is
 * behind.
 */
export const RESTORE = `${SHARED}
local key = KEYS[1]
local first = 4 + tonumber(ARGV[3])
for i = 4, first - 1 do redis.call('hdel', key, 'h' .. ARGV[i]) end
for i = first, #ARGV, 3 do
  local stamp = tonumber(ARGV[i + 1])
  local impressions, at = counted(key, ARGV[i], stamp)
  if (at or stamp) == stamp and impressions < tonumber(ARGV[i + 2]) then
    redis.call('hset', key, ARGV[i], ARGV[i + 1] .. ' ' .. ARGV[i + 2])
  end
end
keep(key, ARGV[2])
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
