import {
  type BudgetBook,
  createBudgetBook,
  createLeasedBook,
} from '../../apps/server/src/capabilities/budgets/index.ts'
import {
  createCounters,
  type MemoryCounters,
} from '../../apps/server/src/capabilities/frequency/index.ts'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import { systemClock, systemUptime } from '../../apps/server/src/platform/clock.ts'
import { Dice } from '../engine/dice.ts'

/** `node --expose-gc bench/live/main.ts [campaigns] [users]` prints one line of JSON. */
const CAMPAIGNS = Number(process.argv[2] ?? 100_000)
const USERS = Number(process.argv[3] ?? 1_000_000)
const CAMPAIGNS_PER_ADVERTISER = 20
const THINGS_PER_USER = 5
const ROUNDS = 400
const CALLS = 2_000
const HOLD_MS = 60_000
const ZONES = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Europe/Paris', 'Asia/Kathmandu']

const clock = systemClock()
const dice = new Dice(5)
const clockNanos = measure(() => void clock.now().getTime())
const budgets = measureBudgets()
const leased = measureLeased()
const counters = measureCounters()

console.log(
  JSON.stringify({
    campaigns: CAMPAIGNS,
    users: USERS,
    clockNanos,
    ...budgets,
    ...leased,
    ...counters,
  }),
)

function measureBudgets() {
  const before = memory()
  const book = createBudgetBook({ clock, random: systemRandom })
  for (let key = 1; key <= CAMPAIGNS; key++) putCampaign(book, key)
  for (let key = 1; key <= CAMPAIGNS; key++) book.judgeSpend(key, 1)
  while (book.sweep() > 0);
  const bytesPerCampaign = Math.round((memory() - before) / CAMPAIGNS)

  const keys = Int32Array.from({ length: 65_536 }, () => 1 + dice.below(CAMPAIGNS))
  const judgeSpendNanos = measure((at) => void book.judgeSpend(keys[at & 65_535]!, 900))
  const reserveConfirmNanos = measure((at) => {
    const reservation = book.reserve({
      campaignKey: keys[at & 65_535]!,
      costMicros: 900,
      holdMs: HOLD_MS,
    })
    book.confirm(reservation!.id, 800)
  })
  const reserveNanos = measure((at) => {
    book.reserve({ campaignKey: keys[at & 65_535]!, costMicros: 9, holdMs: HOLD_MS })
  })
  return { bytesPerCampaign, judgeSpendNanos, reserveConfirmNanos, reserveNanos }
}

/** As in production, reservations need leases. A stub grants every lease at once. */
function measureLeased() {
  const { book, nodeLeases } = createLeasedBook({
    clock,
    random: systemRandom,
    uptime: systemUptime,
  })
  for (let key = 1; key <= CAMPAIGNS; key++) putCampaign(book, key)
  const requests = nodeLeases.collectRequests(CAMPAIGNS)
  const answers = requests.map(({ campaignKey, advertiserKey, day }) => ({
    campaignKey,
    advertiserKey,
    day,
    amountMicros: 1e13,
    campaignDaySpentMicros: 0,
    campaignSpentMicros: 0,
    advertiserDaySpentMicros: 0,
  }))
  nodeLeases.applyGrants(answers, Infinity)
  while (book.sweep() > 0);
  const keys = Int32Array.from({ length: 65_536 }, () => 1 + dice.below(CAMPAIGNS))
  const judgeLeasedNanos = measure((at) => void book.judgeSpend(keys[at & 65_535]!, 900))
  const reservationMicros =
    measure((at) => {
      const campaignKey = keys[at & 65_535]!
      book.judgeSpend(campaignKey, 9)
      book.reserve({ campaignKey, costMicros: 9, holdMs: HOLD_MS })
    }) / 1_000
  return { judgeLeasedNanos, reservationMicros }
}

function putCampaign(book: BudgetBook, campaignKey: number): void {
  const advertiserKey = Math.ceil(campaignKey / CAMPAIGNS_PER_ADVERTISER)
  if (campaignKey % CAMPAIGNS_PER_ADVERTISER === 1) {
    const timeZone = dice.pick(ZONES)
    book.putAdvertiser({ advertiserKey, dailyMicros: 9e14, timeZone })
  }
  book.putCampaign({
    campaignKey,
    advertiserKey,
    dailyMicros: 1e14 + campaignKey,
    totalMicros: 9e14,
    strategy: dice.random(0.5) ? 'Smooth' : 'Accelerated',
  })
}

function measureCounters() {
  const before = memory()
  const counters = createCounters({ clock, random: systemRandom, usersMax: USERS })
  const emptyBytes = memory() - before
  for (let user = 0; user < USERS; user++) {
    counters.restore(seenBy(user, THINGS_PER_USER))
  }
  const bytesPerUser = Math.round((memory() - before) / USERS)

  const users = Int32Array.from({ length: 16_384 }, () => dice.below(USERS))
  const keys = Array.from(users, userKey)
  const readers = keys.map((key) => counters.read(key))
  const readNanos = measure((at) => void counters.read(keys[at & 16_383]!))
  const seenNanos = measure((at) => {
    const user = at & 16_383
    readers[user]!.seen('campaign', thingKey(users[user]!, at % 7), 'Day')
  })
  const capsOf = Array.from(users, (user) =>
    things(user, 2).map((thing) => ({ ...thing, impressionsMax: 1e6 })),
  )
  const rowsOf = Array.from(users, (user) => seenBy(user, 2))
  const holdSettleNanos = measure((at) => {
    const user = at & 16_383
    const hold = counters.read(keys[user]!).hold(capsOf[user]!, HOLD_MS)
    counters.restore(rowsOf[user]!)
    counters.release(hold!.id)
  })
  const newUserNanos = measureNewcomers(counters)
  return {
    bytesPerUser,
    thingsPerUser: THINGS_PER_USER,
    emptyMegabytes: Math.round(emptyBytes / 1e6),
    readNanos,
    seenNanos,
    holdSettleNanos,
    newUserNanos,
  }
}

/** Each new user evicts the least recently used one. */
function measureNewcomers(counters: MemoryCounters): number {
  let next = USERS
  return measure(() => {
    next++
    counters.restore(seenBy(next, 2))
  })
}

/** As long as a keyed hash in base64. */
function userKey(user: number): string {
  const bytes = Buffer.alloc(32)
  bytes.writeUInt32LE(Math.imul(user, 0x9e3779b1) >>> 0, 0)
  bytes.writeUInt32LE(user, 8)
  return bytes.toString('base64url')
}

/** As settlement reports it. */
function seenBy(user: number, count: number) {
  const seen = { userKey: userKey(user), impressions: 1, atMs: clock.now().getTime() }
  return things(user, count).map((thing) => ({ ...thing, ...seen }))
}

function things(user: number, count: number) {
  return Array.from({ length: count }, (_, at) => ({
    scope: 'campaign' as const,
    key: thingKey(user, at),
    window: 'Day' as const,
  }))
}

function thingKey(user: number, at: number): number {
  return 1 + ((user * 31 + at * 7919) % CAMPAIGNS)
}

/**
 * Nanoseconds per call in the best of many short rounds: on a shared machine, the rest is other load.
 * Each round continues with the next keys, so that caches are as cold as in production.
 */
function measure(call: (at: number) => void): number {
  let bestMs = Infinity
  for (let round = 0; round < ROUNDS; round++) {
    const first = round * CALLS
    const start = performance.now()
    for (let at = first; at < first + CALLS; at++) call(at)
    bestMs = Math.min(bestMs, performance.now() - start)
  }
  return Math.round((bestMs * 1e6) / CALLS)
}

function memory(): number {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
