import {
  applyChange,
  createIndex,
  decide,
  type DecisionIndex,
  type DecisionRequest,
  explain,
  finishLoad,
  type RequestLimits,
  seededDraws,
} from '../../packages/decision-engine/src/index.ts'
import { BenchLive } from './bench-live.ts'
import {
  ADS_PER_CAMPAIGN,
  catalogueOf,
  placementsFor,
  RARE_COUNTRY,
  requestOf,
} from './catalogue.ts'
import { Dice } from './dice.ts'

/** `node --expose-gc bench/engine/main.ts [ads…]` prints one line of JSON. */
const sizes = process.argv.slice(2).map(Number).filter(Boolean)
const SIZES = sizes.length > 0 ? sizes : [1_000, 10_000, 100_000, 1_000_000]
const SHOTS = 10_000
/**
 * Each pass measures each request once, with 10,000 others in between, so that caches are as cold as in
 * production. The best time counts: on a shared machine, the rest is other load.
 */
const PASSES = 5
const USERS = 256
const CAPPED_READERS = 10

/** Limits that most ads pass, like an exchange's request for what the placement sells. */
const LIMITS: RequestLimits = {
  sizes: new Set(['300x250', '320x50']),
  formats: new Set(['single_image', 'html', 'video']),
  blockedBanners: new Set([1, 2, 3]),
  blockedAdvertisers: new Set([1, 2, 3]),
  blockedAdProducts: new Set(['alcohol', 'gambling', 'weapons']),
}

interface Shot {
  readonly request: DecisionRequest
  readonly user: Map<number, number>
}

interface Figures {
  readonly p50: number
  readonly p99: number
}

const engineMicros: Record<string, Figures> = {}
const clockMicros: Record<string, Figures> = {}
const kinds: Record<string, Record<string, Figures>> = {}
const bytesPerAd: Record<string, number> = {}
/** Processor seconds, including the creation of the rows. */
const indexSeconds: Record<string, number> = {}
const eligibleShare: Record<string, number> = {}
/** Processor time with the limits of an exchange divided by that without, request by request. */
const limitsRatio: Record<string, number> = {}
const filledShare: Record<string, number> = {}

for (const size of SIZES) measureSize(size)

const middle = SIZES.includes(100_000) ? 100_000 : SIZES.at(-1)!
console.log(
  JSON.stringify({
    engineMicros,
    bytesPerAd: bytesPerAd[SIZES.at(-1)!],
    indexSeconds: indexSeconds[middle],
    requestsWith1000Eligible: eligibleShare,
    byKind: kinds,
    clockMicrosWithNoise: clockMicros,
    bytesPerAdBySize: bytesPerAd,
    indexSecondsBySize: indexSeconds,
    limitsRatio,
    filledShare,
  }),
)

function measureSize(size: number): void {
  const before = memory()
  const started = process.cpuUsage()
  const index = load(size)
  const { user, system } = process.cpuUsage(started)
  indexSeconds[size] = round((user + system) / 1e6)
  bytesPerAd[size] = Math.round((memory() - before) / size)

  const live = liveFor(index, size)
  const shots = shotsFor(index, size)
  eligibleShare[size] = shareWith1000Eligible(index, live)
  measure(index, live, shots.all)
  const reservedBefore = live.reservations
  const times = measure(index, live, shots.all)
  filledShare[size] = round((live.reservations - reservedBefore) / SHOTS / PASSES)
  engineMicros[size] = figuresOf(times.best)
  clockMicros[size] = figuresOf(times.all)
  limitsRatio[size] = ratioWithLimits(index, live, shots.all)
  kinds[size] = {}
  for (const kind of new Set(shots.kinds)) {
    kinds[size][kind] = figuresOf(times.best.filter((_, at) => shots.kinds[at] === kind))
  }
}

/** Measures both alternately, so that other load on the machine affects both. */
function ratioWithLimits(index: DecisionIndex, live: BenchLive, shots: readonly Shot[]): number {
  const limited = shots.map(({ request, user }) => ({
    request: { ...request, limits: LIMITS },
    user,
  }))
  measure(index, live, limited)
  const rounds = Array.from({ length: 3 }, () => ({
    plain: measure(index, live, shots).best,
    limited: measure(index, live, limited).best,
  }))
  const best = (of: 'plain' | 'limited') => Math.min(...rounds.map((round) => sumOf(round[of])))
  return round(best('limited') / best('plain'))
}

function sumOf(micros: Float64Array): number {
  return micros.reduce((total, one) => total + one, 0)
}

function load(size: number): DecisionIndex {
  const index = createIndex({ expectedAds: size })
  for (const change of catalogueOf(size, 7)) applyChange(index, change)
  finishLoad(index)
  return index
}

/** 3 % of the budgets are spent and 10 % are ahead of plan, but not parked yet. */
function liveFor(index: DecisionIndex, size: number): BenchLive {
  const dice = new Dice(11)
  const live = new BenchLive()
  for (let key = 1; key <= Math.ceil(size / ADS_PER_CAMPAIGN); key++) {
    const leftMicros = dice.random(0.03) ? 0 : 1e12
    live.budgets.set(key, { leftMicros, isAhead: dice.random(0.1), utilisation: dice.next() })
  }
  drain(index, live)
  return live
}

/** All but three campaigns of the last placement are exhausted and parked. */
function drain(index: DecisionIndex, live: BenchLive): void {
  const slot = index.placementRows.get(index.placements.length)!
  const campaigns = index.campaignDetails.filter((detail) => detail?.placements.includes(slot))
  for (const detail of campaigns.slice(3)) {
    const campaignKey = detail!.key
    live.budgets.get(campaignKey)!.leftMicros = 0
    applyChange(index, { put: 'spend-verdict', record: { campaignKey, verdict: 'exhausted' } })
  }
}

function shotsFor(index: DecisionIndex, size: number) {
  const dice = new Dice(13)
  const users = Array.from({ length: USERS }, () => someHistory(dice, size))
  const capped = cappedShots(index, size)
  const kinds: string[] = []
  const all: Shot[] = []
  for (let at = 0; at < SHOTS; at++) {
    const request = requestOf(dice, placementsFor(size))
    const user = dice.pick(users)
    const context = { ...request.context, country: RARE_COUNTRY }
    const makers: Record<string, () => Shot> = {
      normal: () => ({ request, user }),
      rareCountry: () => ({ request: { ...request, context }, user }),
      cappedUser: () => dice.pick(capped),
      drained: () => ({ request: { ...request, placementKey: index.placements.length }, user }),
    }
    const kind = dice.random(0.7) ? 'normal' : dice.pick(['rareCountry', 'cappedUser', 'drained'])
    all.push(makers[kind]!())
    kinds.push(kind)
  }
  return { all, kinds }
}

/** A reader who has seen some dozens of campaigns today. */
function someHistory(dice: Dice, size: number): Map<number, number> {
  const user = new Map<number, number>()
  for (let at = 0; at < 40; at++) {
    const campaign = 1 + dice.below(Math.ceil(size / ADS_PER_CAMPAIGN))
    user.set(campaign * 4 + 1, 1 + dice.below(4))
  }
  return user
}

/** Readers who have reached their cap on the 100 best ads of their own request. */
function cappedShots(index: DecisionIndex, size: number): Shot[] {
  return Array.from({ length: CAPPED_READERS }, (_, at) => {
    const request = {
      ...requestOf(new Dice(1000 + at), placementsFor(size)),
      placementKey: 1 + (at % 5),
    }
    return { request, user: capBestAds(index, request, size * 10 + at * 100) }
  })
}

/** Decides 100 times, each time with a cap on all earlier winners. */
function capBestAds(index: DecisionIndex, request: DecisionRequest, firstCap: number) {
  const live = new BenchLive()
  live.judgeSpend = () => 'may-spend'
  live.reserve = () => true
  const ports = { live, draws: seededDraws(1) }
  for (let at = 0; at < 100; at++) {
    const [winner] = decide(index, request, ports).winners
    if (winner === undefined) break
    live.user.set(winner.key * 4, 5)
    const cap = { scope: 'ad', scopeKey: winner.key, impressionsMax: 2, window: 'Day' } as const
    applyChange(index, { put: 'cap', record: { key: firstCap + at, ...cap } })
  }
  return live.user
}

function shareWith1000Eligible(index: DecisionIndex, live: BenchLive): number {
  const placements = index.placements.length
  const dice = new Dice(17)
  const dry = new BenchLive()
  dry.judgeSpend = (campaign, cost) => live.judgeSpend(campaign, cost)
  dry.reserve = () => true
  const sample = 40
  let many = 0
  for (let at = 0; at < sample; at++) {
    const { outcomes } = explain(index, requestOf(dice, placements), {
      live: dry,
      draws: seededDraws(1),
    })
    if (outcomes.filter(({ score }) => score !== undefined).length >= 1000) many++
  }
  return many / sample
}

function measure(index: DecisionIndex, live: BenchLive, shots: readonly Shot[]) {
  const ports = { live, draws: seededDraws(1) }
  const all = new Float64Array(shots.length * PASSES)
  const best = new Float64Array(shots.length).fill(Infinity)
  for (let at = 0; at < all.length; at++) {
    const number = at % shots.length
    const shot = shots[number]!
    live.user = shot.user
    const start = performance.now()
    decide(index, shot.request, ports)
    const micros = (performance.now() - start) * 1000
    all[at] = micros
    if (micros < best[number]!) best[number] = micros
  }
  return { all, best }
}

function figuresOf(micros: Float64Array): Figures {
  const sorted = micros.toSorted()
  const at = (share: number) => round(sorted[Math.floor(sorted.length * share)]!)
  return { p50: at(0.5), p99: at(0.99) }
}

function memory(): number {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
