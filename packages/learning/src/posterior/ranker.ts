import { DAY_MS } from '@placard/calendar'
import type { Draws } from '../random.ts'
import { type Beta, betaDraw } from './beta.ts'

/** Impressions and clicks of a category, on all sites or on one, as of an instant. */
export interface RankerScore {
  readonly impressions: number
  readonly clicks: number
  readonly revenue: number
  readonly atMs: number
}

export interface RankerSettings {
  readonly halfLifeMs: number
  readonly prior: Beta
  /** With this many impressions, a site weighs as much as all sites together. */
  readonly blendImpressions: number
  /** From this many impressions on, only the site's own evidence counts. */
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

/** The score as of now. Reading does not change its instant; adding does. */
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

/** Adds buffered feedback. A batch that is older than the score counts at the score's instant. */
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

/** A site's evidence, supplemented by that of all sites while there is little of it. */
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

/** Weight of a category: a random click rate that fits its evidence. */
export const rankerWeight = (posterior: Beta, draws: Draws): number => betaDraw(posterior, draws)
