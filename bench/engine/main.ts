import {
  applyChange,
  createIndex,
  decide,
  type DecisionIndex,
  type DecisionRequest,
  explain,
  finishLoad,
  seededDraws,
} from '../../packages/decision-engine/src/index.ts'
import { BenchLive } from './bench-live.ts'
import {
  ADS_PER_CAMPAIGN,
  catalogueOf,
  DRAINED_PLACEMENT,
  RARE_COUNTRY,
  requestOf,
} from './catalogue.ts'
import { Dice } from './dice.ts'

/** `node --expose-gc bench/engine/main.ts [ads…]` prints one line of JSON. */
const sizes = process.argv.slice(2).map(Number).filter(Boolean)
const SIZES = sizes.length > 0 ? sizes : [1_000, 10_000, 100_000, 1_000_000]
const WARM_UP = 20_000
const MEASURED = 40_000
const USERS = 256
const CAPPED_READERS = 10

interface Shot {
  readonly request: DecisionRequest
  readonly user: Map<number, number>
}

interface Series {
  readonly shots: readonly Shot[]
  readonly times: number
}

interface Figures {
  readonly p50: number
  readonly p99: number
}

const engineMicros: Record<string, Figures> = {}
const kinds: Record<string, Record<string, Figures>> = {}
const bytesPerAd: Record<string, number> = {}
const indexSeconds: Record<string, number> = {}
const eligibleShare: Record<string, number> = {}
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
    bytesPerAdBySize: bytesPerAd,
    indexSecondsBySize: indexSeconds,
    filledShare,
  }),
)

function measureSize(size: number): void {
  const before = memory()
  const started = performance.now()
  const index = load(size)
  indexSeconds[size] = round((performance.now() - started) / 1000)
  bytesPerAd[size] = Math.round((memory() - before) / size)

  const live = liveFor(index, size)
  const shots = shotsFor(index, size)
  eligibleShare[size] = shareWith1000Eligible(index, live)
  run(index, live, { shots: shots.all, times: WARM_UP })
  const reservedBefore = live.reservations
  engineMicros[size] = run(index, live, { shots: shots.all, times: MEASURED })
  filledShare[size] = round((live.reservations - reservedBefore) / MEASURED)
  kinds[size] = {}
  for (const [kind, list] of Object.entries(shots.byKind)) {
    kinds[size][kind] = run(index, live, { shots: list, times: list.length * 2 })
  }
}

function load(size: number): DecisionIndex {
  const index = createIndex({ expectedAds: size })
  for (const change of catalogueOf(size, 7)) applyChange(index, change)
  finishLoad(index)
  return index
}

/** 3 % of budgets are spent and 10 % ahead of plan without the index knowing it yet. */
function liveFor(index: DecisionIndex, size: number): BenchLive {
  const dice = new Dice(11)
  const live = new BenchLive()
  for (let key = 1; key <= Math.ceil(size / ADS_PER_CAMPAIGN); key++) {
    const leftMicros = dice.chance(0.03) ? 0 : 1e12
    live.budgets.set(key, { leftMicros, isAhead: dice.chance(0.1), utilisation: dice.next() })
  }
  drain(index, live)
  return live
}

/** All but three campaigns of one placement are exhausted, and the budget feed has said so. */
function drain(index: DecisionIndex, live: BenchLive): void {
  const slot = index.placementSlots.get(DRAINED_PLACEMENT)!
  const campaigns = index.campaignDetails.filter((detail) => detail?.links.includes(slot))
  for (const detail of campaigns.slice(3)) {
    const campaignKey = detail!.key
    live.budgets.get(campaignKey)!.leftMicros = 0
    applyChange(index, { put: 'parking', record: { campaignKey, verdict: 'exhausted' } })
  }
}

function shotsFor(index: DecisionIndex, size: number) {
  const dice = new Dice(13)
  const users = Array.from({ length: USERS }, () => someHistory(dice, size))
  const capped = cappedShots(index, size)
  const byKind: Record<string, Shot[]> = {
    normal: [],
    rareCountry: [],
    cappedUser: [],
    drained: [],
  }
  const all: Shot[] = []
  for (let at = 0; at < WARM_UP; at++) {
    const request = requestOf(dice)
    const user = dice.pick(users)
    const context = { ...request.context, country: RARE_COUNTRY }
    const makers: Record<string, () => Shot> = {
      normal: () => ({ request, user }),
      rareCountry: () => ({ request: { ...request, context }, user }),
      cappedUser: () => dice.pick(capped),
      drained: () => ({ request: { ...request, placementKey: DRAINED_PLACEMENT }, user }),
    }
    const kind = dice.chance(0.7) ? 'normal' : dice.pick(['rareCountry', 'cappedUser', 'drained'])
    const shot = makers[kind]!()
    all.push(shot)
    byKind[kind]!.push(shot)
  }
  return { all, byKind }
}

/** A reader who has seen a few dozen campaigns today. */
function someHistory(dice: Dice, size: number): Map<number, number> {
  const user = new Map<number, number>()
  for (let at = 0; at < 40; at++) {
    const campaign = 1 + dice.below(Math.ceil(size / ADS_PER_CAMPAIGN))
    user.set(campaign * 4 + 1, 1 + dice.below(4))
  }
  return user
}

/** Readers who have seen the hundred best ads that their own request could have won. */
function cappedShots(index: DecisionIndex, size: number): Shot[] {
  return Array.from({ length: CAPPED_READERS }, (_, at) => {
    const request = { ...requestOf(new Dice(1000 + at)), placementKey: 1 + (at % 5) }
    return { request, user: capBestAds(index, request, size * 10 + at * 100) }
  })
}

/** Asks a hundred times, each time capped on what won before. */
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
  const dice = new Dice(17)
  const dry = new BenchLive()
  dry.judgeSpend = (campaign, cost) => live.judgeSpend(campaign, cost)
  dry.reserve = () => true
  const sample = 40
  let many = 0
  for (let at = 0; at < sample; at++) {
    const { fates } = explain(index, requestOf(dice), { live: dry, draws: seededDraws(1) })
    if (fates.filter(({ score }) => score !== undefined).length >= 1000) many++
  }
  return many / sample
}

function run(index: DecisionIndex, live: BenchLive, { shots, times }: Series): Figures {
  const ports = { live, draws: seededDraws(1) }
  const micros = new Float64Array(times)
  for (let at = 0; at < times; at++) {
    const shot = shots[at % shots.length]!
    live.user = shot.user
    const start = performance.now()
    decide(index, shot.request, ports)
    micros[at] = performance.now() - start
  }
  micros.sort()
  const at = (share: number) => round(micros[Math.floor(times * share)]! * 1000)
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
