import type { Context, Placement } from '@placard/decision-engine'
import type { Random } from '../../../server/src/platform/random.ts'

/** Parts of the days before the demo's first start. */
export interface Visit {
  readonly atMs: number
  readonly placement: Placement
  readonly reader: string
  readonly context: Context
}

/** Amount of traffic before the first start. */
export interface HistorySize {
  readonly days: number
  readonly visitsPerDay: number
}
export const A_WEEK: HistorySize = { days: 7, visitsPerDay: 9_000 }

const HOUR_MS = 3_600_000
const READERS = 6_000

/** Readers come in the morning, at noon and most of all in the evening (UTC). */
const HOURS = [
  6, 4, 3, 2, 2, 4, 9, 18, 26, 30, 30, 32, 36, 34, 31, 30, 32, 37, 44, 52, 55, 46, 28, 13,
] as const
const HOURS_SUM = HOURS.reduce((sum, weight) => sum + weight, 0)

const DEVICES = ['mobile', 'mobile', 'mobile', 'desktop', 'desktop', 'tablet'] as const
const COUNTRIES = ['DE', 'DE', 'DE', 'AT', 'CH', 'GB', 'GB', 'US', 'US', 'FR', 'NL', 'ES'] as const
const LANGUAGES: Readonly<Record<string, string>> = { DE: 'de', AT: 'de-at', CH: 'de-ch', FR: 'fr' }
const SEGMENTS = ['runners', 'marathon', 'high-intent', 'gardeners', 'parents'] as const

/** The past hours, including the current one. */
export function* hoursBefore(nowMs: number, days: number): Generator<number> {
  const hour = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  for (let ago = days * 24; ago >= 0; ago--) yield hour - ago * HOUR_MS
}

/** Visits within an hour, in order. In the current hour, only those before now. */
export function visitsOf(
  hourMs: number,
  { nowMs, visitsPerDay, placements, random }: HistoryTerms,
): readonly Visit[] {
  const weight = HOURS[new Date(hourMs).getUTCHours()]!
  // Days differ.
  const count = Math.round(((visitsPerDay * weight) / HOURS_SUM) * (0.85 + random.draw() * 0.3))
  return Array.from({ length: count }, () => hourMs + Math.floor(random.draw() * HOUR_MS))
    .filter((atMs) => atMs < nowMs)
    .toSorted((a, b) => a - b)
    .map((atMs) => aVisit(atMs, placements, random))
}

export interface HistoryTerms extends Pick<HistorySize, 'visitsPerDay'> {
  readonly nowMs: number
  readonly placements: readonly Placement[]
  readonly random: Random
}

function aVisit(atMs: number, placements: readonly Placement[], random: Random): Visit {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random.draw() * items.length)]!
  // Some readers come every day, most of them sometimes.
  const reader = Math.floor(random.draw() ** 2 * READERS)
  const country = COUNTRIES[reader % COUNTRIES.length]!
  return {
    atMs,
    placement: pick(placements),
    reader: `demo-reader-${String(reader).padStart(6, '0')}`,
    context: {
      device: DEVICES[reader % DEVICES.length],
      country,
      language: LANGUAGES[country] ?? 'en',
      loggedIn: reader % 3 === 0,
      segments: [SEGMENTS[reader % SEGMENTS.length]!],
    },
  }
}

/** Events of a served banner, in milliseconds after the decision. */
export interface Outcome {
  readonly seenMs?: number
  readonly viewedMs?: number
  readonly clickedMs?: number
  readonly bought?: { readonly afterMs: number; readonly valueMicros: bigint }
}

const SEES = 0.95
const LOOKS = 0.6
const CLICKS = 0.02
const BUYS = 0.15

export function outcomeOf(random: Random): Outcome {
  if (random.draw() > SEES) return {}
  const seenMs = 200 + random.draw() * 800
  if (random.draw() > LOOKS) return { seenMs }
  const viewedMs = seenMs + 1_000
  if (random.draw() > CLICKS) return { seenMs, viewedMs }
  const clickedMs = viewedMs + 500 + random.draw() * 9_000
  if (random.draw() > BUYS) return { seenMs, viewedMs, clickedMs }
  const bought = {
    afterMs: clickedMs + 60_000 + random.draw() * 600_000,
    valueMicros: BigInt(5 + Math.floor(random.draw() * 95)) * 1_000_000n,
  }
  return { seenMs, viewedMs, clickedMs, bought }
}
