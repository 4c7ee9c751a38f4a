import { NOTED_EVERY_DAYS, REMEMBERED_DAYS } from './visits.ts'

/**
 * A publisher's readers in two hashes: `user key` = `<first visit in s> <day of a late visit>`. When
 * the newer half is full it becomes the older, and readers not seen since then are dropped.
 */
const SHARED = `
local function state_of(newer, older, field)
  local value = redis.call('hget', newer, field)
  local is_recent = value
  if not value then value = redis.call('hget', older, field) end
  if not value then return nil end
  local first, day = string.match(value, '^(%d+) (%d+)$')
  return tonumber(first), tonumber(day), is_recent
end
local function keep(newer, older, field, first, day, max, ttl)
  if redis.call('hlen', newer) >= max and redis.call('hexists', newer, field) == 0 then
    redis.call('unlink', older)
    redis.call('rename', newer, older)
  end
  redis.call('hset', newer, field, string.format('%d %d', first, day))
  redis.call('pexpire', newer, ttl)
end
`

/**
 * For many readers: `<first visit> <1 if the database should know>` of each. KEYS: both halves of
 * each. ARGV: now in s, today, readers per half, ttl, then of each reader field and whether it is dry.
 */
export const SEE_VISITS = `${SHARED}
local now, today, max, ttl = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local answers = {}
for i = 1, #KEYS, 2 do
  local newer, older, field, dry = KEYS[i], KEYS[i + 1], ARGV[i + 4], ARGV[i + 5]
  local first, day, is_recent = state_of(newer, older, field)
  local is_news = '0'
  if not first or today - day > ${REMEMBERED_DAYS} then
    first, day, is_news = now, today, '1'
  elseif today - day >= ${NOTED_EVERY_DAYS} then
    day, is_news = today, '1'
  end
  if dry == '1' then
    is_news = '0'
  elseif is_news == '1' or not is_recent then
    keep(newer, older, field, first, day, max, ttl)
  end
  answers[#answers + 1] = string.format('%d %s', first, is_news)
end
return table.concat(answers, ',')
`

/**
 * Adds what is missing, the newest first, as long as there is room. KEYS: both halves. ARGV: readers
 * per half, ttl, then of each reader field, first visit and day.
 */
export const RESTORE_VISITS = `${SHARED}
local newer, older, max, ttl = KEYS[1], KEYS[2], tonumber(ARGV[1]), ARGV[2]
for i = 3, #ARGV, 3 do
  local field, first, day = ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  local known_first, known_day = state_of(newer, older, field)
  if known_first then
    keep(newer, older, field, math.min(known_first, first), math.max(known_day, day), max, ttl)
  else
    local half = newer
    if redis.call('hlen', newer) >= max then half = older end
    if redis.call('hlen', half) < max then
      redis.call('hset', half, field, string.format('%d %d', first, day))
      redis.call('pexpire', half, ttl)
    end
  end
end
return 1
`
