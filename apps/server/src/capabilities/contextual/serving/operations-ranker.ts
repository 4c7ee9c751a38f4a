import { betaMean, blendedPosterior } from '@placard/learning'
import { getSite, type ContextualDeps, type SiteTarget } from '../pages/operations-pages.ts'
import { relevanceOf } from '../auction/auction.ts'
import { listChoices, type Choice } from './reads-choices.ts'
import { listScores, type ScoresOfCategory, type ScoresOfSite } from './store-ranker.ts'

/** What the ranker knows about a site, and its effect on the last choices on its pages. */
export async function getRanker(deps: ContextualDeps, target: SiteTarget) {
  const { db, clock } = deps
  const site = await getSite(deps, target)
  const now = clock.now()
  const scores = await listScores(db, { siteId: site.id, now })
  const choices = await listChoices(db, { siteId: site.id, now })
  return {
    usualClickRate: rateOf(scores.total, now),
    categories: scores.ids
      .map((id) => presentCategory(deps, { id, scores, now }))
      .toSorted((a, b) => b.impressions - a.impressions)
      .slice(0, CATEGORIES_MAX),
    choices: choices.map(presentChoice),
  }
}

const CATEGORIES_MAX = 200

const rateOf = ({ site, everywhere }: ScoresOfCategory, now: Date) =>
  betaMean(blendedPosterior(site, everywhere, { nowMs: now.getTime() }))

interface RankedCategory {
  readonly id: string
  readonly scores: ScoresOfSite
  readonly now: Date
}

/** Shows mean rates; auctions draw from the evidence. */
function presentCategory({ taxonomy }: ContextualDeps, { id, scores, now }: RankedCategory) {
  const known = scores.of(id)
  const rate = rateOf(known, now)
  const share = rate / (rate + rateOf(scores.total, now))
  return {
    id,
    name: taxonomy.categories.get(id)?.name ?? id,
    impressions: known.site?.impressions ?? 0,
    clicks: known.site?.clicks ?? 0,
    impressionsEverywhere: known.everywhere?.impressions ?? 0,
    clicksEverywhere: known.everywhere?.clicks ?? 0,
    clickRate: rate,
    relevanceMax: relevanceOf(1, { rate, share }),
  }
}

function presentChoice({ score, secondScore, relevance, ...choice }: Choice) {
  const plain = score / (relevance ?? 1)
  return {
    ...choice,
    decidedAt: new Date(choice.decidedAtMs).toISOString(),
    relevance,
    score: score / 1_000_000,
    bestOther: secondScore === null ? null : secondScore / 1_000_000,
    isWonByRelevance: secondScore !== null && relevance !== null && plain < secondScore,
  }
}
