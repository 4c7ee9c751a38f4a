import { betaMean, blendedPosterior, type Draws, rankerWeight } from '@placard/learning'
import type { ScoresOfCategory, ScoresOfSite } from '../serving/store-ranker.ts'

/** How well readers of a site respond to a category. */
export interface CategoryWeight {
  /** A click rate drawn from the evidence. Replaces a creative's own while that has none. */
  readonly rate: number
  /** Compared with all categories of the site: 0.5 means equally good. */
  readonly share: number
}

const WEIGHT_UNKNOWN: CategoryWeight = { rate: 0.5, share: 0.5 }

interface Weighing {
  readonly nowMs: number
  readonly draws: Draws
}

/** Draws once per category and auction, so that uncertain categories are tried. */
export function weigher({ of, total }: ScoresOfSite, { nowMs, draws }: Weighing) {
  const usual = betaMean(blendedPosterior(total.site, total.everywhere, { nowMs }))
  const weights = new Map<string, CategoryWeight>()
  return (categoryId: string): CategoryWeight => {
    const known = weights.get(categoryId)
    if (known !== undefined) return known
    const weight = weigh(of(categoryId), { usual, nowMs, draws })
    weights.set(categoryId, weight)
    return weight
  }
}

function weigh(
  { site, everywhere }: ScoresOfCategory,
  { usual, nowMs, draws }: Weighing & { readonly usual: number },
): CategoryWeight {
  if (site === undefined && everywhere === undefined) return WEIGHT_UNKNOWN
  const rate = rankerWeight(blendedPosterior(site, everywhere, { nowMs }), draws)
  return { rate, share: rate / (rate + usual) }
}
