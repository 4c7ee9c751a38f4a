import { DAY_MS } from '@placard/calendar'
import type { Draws } from '../random.ts'
import { type Beta, betaDraw } from './beta.ts'

/** What readers did with a category (everywhere, or on one site), as of an instant. */
export interface RankerScore {
  readonly impressions: number
  readonly clicks: number
  readonly revenue: number
  readonly atMs: number
}

export interface RankerSettings {
  readonly halfLifeMs: number
  readonly prior: Beta
  /** With so many impressions a site counts as much as everywhere else. */
  readonly blendImpressions: number
  /** From so many on, a site stands alone. */
  readonly aloneImpressions: number
  readonly ageMaxMs: number
}

export const RANKER_DEFAULTS: RankerSettings = {
  halfLifeMs: 7 * DAY_MS,
  prior: { a: 1, b: 1 },
  blendImpressions: 20,
  aloneImpressions: 100,
  ageMaxMs: 14 * DAY_MS,
}

const NOTHING = { impressions: 0, clicks: 0, revenue: 0 }

/** The score as it counts now. Looking does not move its instant; adding does. */
export function decayed(
  score: RankerScore,
  nowMs: number,
  settings = RANKER_DEFAULTS,
): RankerScore {
  const age = Math.max(0, nowMs - score.atMs)
  if (age > settings.ageMaxMs) return { ...NOTHING, atMs: score.atMs }
  const kept = 0.5 ** (age / settings.halfLifeMs)
  return {
    impressions: score.impressions * kept,
    clicks: score.clicks * kept,
    revenue: score.revenue * kept,
    atMs: score.atMs,
  }
}

/** Adds what was buffered; a batch that is older than the score counts as of the score's instant. */
export function addFeedback(
  score: RankerScore | undefined,
  batch: RankerScore,
  settings = RANKER_DEFAULTS,
): RankerScore {
  const atMs = Math.max(batch.atMs, score?.atMs ?? batch.atMs)
  const before = score === undefined ? NOTHING : decayed(score, atMs, settings)
  return {
    impressions: before.impressions + batch.impressions,
    clicks: before.clicks + batch.clicks,
    revenue: before.revenue + batch.revenue,
    atMs,
  }
}

/** A site's evidence, filled up with everywhere else's while there is little of it. */
export function blendedPosterior(
  site: RankerScore | undefined,
  everywhere: RankerScore | undefined,
  { nowMs, settings = RANKER_DEFAULTS }: { nowMs: number; settings?: RankerSettings },
): Beta {
  const here = posteriorOf(site, nowMs, settings)
  const seen = site === undefined ? 0 : decayed(site, nowMs, settings).impressions
  if (seen >= settings.aloneImpressions) return here
  const all = posteriorOf(everywhere, nowMs, settings)
  const weight = seen / (seen + settings.blendImpressions)
  return {
    a: weight * here.a + (1 - weight) * all.a,
    b: weight * here.b + (1 - weight) * all.b,
  }
}

function posteriorOf(
  score: RankerScore | undefined,
  nowMs: number,
  settings: RankerSettings,
): Beta {
  const { impressions, clicks } = score === undefined ? NOTHING : decayed(score, nowMs, settings)
  const { prior } = settings
  return { a: prior.a + clicks, b: prior.b + Math.max(0, impressions - clicks) }
}

/** Weight of a category: one rate that its evidence allows. */
export const rankerWeight = (posterior: Beta, draws: Draws): number => betaDraw(posterior, draws)
