import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { DAY_MS } from '@placard/calendar'
import {
  addFeedback,
  blendedPosterior,
  RANKER_DEFAULTS,
  type RankerScore,
  rankerWeight,
  seededDraws,
} from '@placard/learning'

const DAYS = 35
const PULLS = 100_000
const SEEDS = 20
const RATE_TIMES = 4
/** Best and worst category swap on this day. Three half-lives remain. */
const SWAP_DAY = 14
const FLUSH_MS = 5_000
const BACK_SHARE = 0.9

/** Click rate of each category in logs of uniformly drawn items. */
function readRates(folder: string): number[] {
  const items = readCsv(readFileSync(path.join(folder, 'men_item_context.csv'), 'utf8'))
  const rows = readCsv(gunzipSync(readFileSync(path.join(folder, 'men.csv.gz'))).toString())
  const categoryOf = new Map(items.map((item) => [item['item_id'], item['item_feature_2']!]))
  const shown = new Map<string, number>()
  const clicked = new Map<string, number>()
  for (const row of rows) {
    const category = categoryOf.get(row['item_id'])!
    shown.set(category, (shown.get(category) ?? 0) + 1)
    clicked.set(category, (clicked.get(category) ?? 0) + Number(row['click']))
  }
  return [...shown].map(([category, count]) => (RATE_TIMES * clicked.get(category)!) / count)
}

function readCsv(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.trim().split(/\r?\n/)
  const names = head.split(',')
  return lines.map((line) => {
    const values = line.split(',')
    return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))
  })
}

interface World {
  readonly rates: readonly number[]
  readonly seed: number
  readonly swaps: boolean
}

/** Days of choices by the ranker's own rules, with feedback in batches. Returns each day's mean true rate. */
function playWorld({ rates, seed, swaps }: World): number[] {
  const draws = seededDraws(seed)
  const scores: (RankerScore | undefined)[] = rates.map(() => undefined)
  const buffered = rates.map(() => ({ impressions: 0, clicks: 0 }))
  const best = rates.indexOf(Math.max(...rates))
  const worst = rates.indexOf(Math.min(...rates))
  const daily = Array.from({ length: DAYS }, () => 0)
  let flushedMs = 0
  for (let pull = 0; pull < PULLS; pull++) {
    const nowMs = (pull / PULLS) * DAYS * DAY_MS
    const day = Math.floor(nowMs / DAY_MS)
    if (nowMs - flushedMs >= FLUSH_MS) {
      flush(scores, buffered, nowMs)
      flushedMs = nowMs
    }
    const chosen = choose(scores, nowMs, draws)
    const isSwapped = swaps && day >= SWAP_DAY
    const other = chosen === best ? worst : chosen === worst ? best : chosen
    const rate = rates[isSwapped ? other : chosen]!
    buffered[chosen]!.impressions++
    if (draws.next() < rate) buffered[chosen]!.clicks++
    daily[day]! += rate / (PULLS / DAYS)
  }
  return daily
}

function flush(
  scores: (RankerScore | undefined)[],
  buffered: { impressions: number; clicks: number }[],
  atMs: number,
): void {
  for (const [at, batch] of buffered.entries()) {
    if (batch.impressions === 0) continue
    scores[at] = addFeedback(scores[at], { ...batch, revenue: 0, atMs })
    buffered[at] = { impressions: 0, clicks: 0 }
  }
}

function choose(
  scores: readonly (RankerScore | undefined)[],
  nowMs: number,
  draws: ReturnType<typeof seededDraws>,
): number {
  let best = 0
  let most = -1
  for (const [at, score] of scores.entries()) {
    const weight = rankerWeight(blendedPosterior(score, undefined, { nowMs }), draws)
    if (weight <= most) continue
    most = weight
    best = at
  }
  return best
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Gain over a random choice, and half-lives after a swap until 90 % of the best rate are reached again. */
export function measureRanker(folder: string) {
  const place = path.join(folder, 'ranker/random')
  if (!existsSync(place)) {
    console.error(`${place} does not exist: the ranker is not measured.`)
    return {}
  }
  const rates = readRates(place)
  const lifts: number[] = []
  const recoveries: number[] = []
  for (let seed = 1; seed <= SEEDS; seed++) {
    lifts.push(mean(playWorld({ rates, seed, swaps: false })) / mean(rates))
    const daily = playWorld({ rates, seed, swaps: true }).slice(SWAP_DAY)
    const back = daily.findIndex((rate) => rate >= BACK_SHARE * Math.max(...rates))
    const days = back === -1 ? Infinity : back + 1
    recoveries.push((days * DAY_MS) / RANKER_DEFAULTS.halfLifeMs)
  }
  return {
    rankerLift: Number(median(lifts).toFixed(3)),
    rankerRecovery: Number(median(recoveries).toFixed(3)),
  }
}
