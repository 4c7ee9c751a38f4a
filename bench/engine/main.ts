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

interface Shot {
  readonly request: DecisionRequest
  readonly user: Map<number, number>
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
let filled = 0

for (const size of SIZES) measureSize(size)

const middle = SIZES.includes(100_000) ? 100_000 : SIZES.at(-1)!
console.log(
  JSON.stringify({
    engineMicros,
    bytesPerAd: Math.max(...Object.values(bytesPerAd)),
    indexSeconds: indexSeconds[middle],
    requestsWith1000Eligible: eligibleShare,
    byKind: kinds,
    bytesPerAdBySize: bytesPerAd,
    indexSecondsBySize: indexSeconds,
    filledShare: filled / (MEASURED * SIZES.length),
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
  run(index, live, shots.all)
  engineMicros[size] = run(index, live, shots.all, true)
  kinds[size] = {}
  for (const [kind, list] of Object.entries(shots.byKind)) {
    kinds[size][kind] = run(index, live, list)
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
  const campaigns = [...index.placements[slot]!.campaigns]
  for (const campaign of campaigns.slice(3)) {
    const campaignKey = index.campaignDetails[campaign]!.key
    live.budgets.get(campaignKey)!.leftMicros = 0
    applyChange(index, { put: 'parking', record: { campaignKey, verdict: 'exhausted' } })
  }
}

function shotsFor(index: DecisionIndex, size: number) {
  const dice = new Dice(13)
  const users = Array.from({ length: USERS }, () => someHistory(dice, size))
  const capped = cappedUser(index, size)
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
    const top = 1 + dice.below(5)
    const makers: Record<string, () => Shot> = {
      normal: () => ({ request, user }),
      rareCountry: () => ({ request: { ...request, context }, user }),
      cappedUser: () => ({ request: { ...request, placementKey: top }, user: capped }),
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

/** A reader who has seen the hundred best ads of each large placement as often as allowed. */
function cappedUser(index: DecisionIndex, size: number): Map<number, number> {
  const user = new Map<number, number>()
  let capKey = size * 10
  for (let placement = 1; placement <= 5; placement++) {
    for (const adKey of bestAds(index, placement)) {
      if (user.has(adKey * 4)) continue
      user.set(adKey * 4, 5)
      const record = { scope: 'ad', scopeKey: adKey, impressionsMax: 2, window: 'Day' } as const
      applyChange(index, { put: 'cap', record: { key: capKey++, ...record } })
    }
  }
  return user
}

function bestAds(index: DecisionIndex, placement: number): number[] {
  const request = requestOf(new Dice(placement))
  const live = new BenchLive()
  live.judgeSpend = () => 'may-spend'
  live.reserve = () => true
  const asked = { ...request, placementKey: placement }
  const { fates } = explain(index, asked, { live, draws: seededDraws(1) })
  return fates.slice(0, 100).map(({ offer }) => offer.key)
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

function run(
  index: DecisionIndex,
  live: BenchLive,
  shots: readonly Shot[],
  counts = false,
): Figures {
  const times = new Float64Array(counts ? MEASURED : Math.min(WARM_UP, shots.length * 4))
  const ports = { live, draws: seededDraws(1) }
  for (let at = 0; at < times.length; at++) {
    const shot = shots[at % shots.length]!
    live.user = shot.user
    const start = performance.now()
    const decision = decide(index, shot.request, ports)
    times[at] = performance.now() - start
    if (counts && decision.winners.length > 0) filled++
  }
  times.sort()
  const at = (share: number) => round(times[Math.floor(times.length * share)]! * 1000)
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
