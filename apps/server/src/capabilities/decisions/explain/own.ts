import type { OwnWhy, OwnWhyRequest } from '@placard/contract/explain'
import { type CandidateOutcome, REASON_TEXT, type WinRequirements } from '@placard/decision-engine'
import type { Principal } from '../../../platform/http/principal.ts'
import { Problem } from '../../../platform/problem.ts'
import { adProblems, getCampaignKey } from '../../campaigns/index.ts'
import { placementProblems } from '../../inventory/index.ts'
import type { Content } from '../catalogue/content.ts'
import { adName, candidateNames, keysOfOutcome, type Names } from './explain.ts'
import { type ExplainDeps, questionOf } from './operations.ts'
import { namesOf } from './reads-names.ts'
import { sayIn } from './words.ts'

export interface OwnWhyDeps extends ExplainDeps {
  readonly content: Pick<Content, 'ads' | 'campaignsOfPlacement' | 'placements'>
}

const OUTCOMES_SHOWN = 200

/** Why a campaign's own ads are shown to a reader or not. Says nothing of any other's. */
export async function explainOwn(
  deps: OwnWhyDeps,
  principal: Principal,
  { campaignId, asked }: { readonly campaignId: string; readonly asked: OwnWhyRequest },
): Promise<OwnWhy> {
  const campaignKey = await getCampaignKey(deps.db, principal, campaignId)
  refuseOthersPlacement(deps, campaignKey, asked.placement)
  const question = await questionOf(deps, asked)
  const { adKey, placementKey, decidedAt } = question
  if (adKey !== undefined && deps.content.ads.get(adKey)?.campaignKey !== campaignKey) {
    throw new Problem(adProblems.notFound, asked.adId!)
  }
  const { outcomes, requirements } = await deps.explainer.explain(question)
  const own = outcomes
    .filter(({ candidate }) => candidate.campaignKey === campaignKey)
    .slice(0, OUTCOMES_SHOWN)
  const asking = adKey === undefined ? [] : [{ kind: 'ad' as const, key: adKey, bannerKey: 0 }]
  const names = await namesOf(deps.db, {
    candidates: [
      ...own.map(keysOfOutcome),
      ...asking.map((keys) => ({ ...keys, campaignKey: undefined })),
    ],
    placementKeys: placementKey === undefined ? [] : [placementKey],
  })
  return {
    decidedAt: decidedAt.toISOString(),
    placement: asked.placement,
    currency: names.currency ?? null,
    ads: own.map((outcome) => presentOwn(outcome, names)),
    needs: requirements === undefined ? null : presentNeeds(requirements, names),
  }
}

function refuseOthersPlacement({ content }: OwnWhyDeps, campaignKey: number, slug: string): void {
  for (const [placementKey, campaigns] of content.campaignsOfPlacement) {
    if (!campaigns.has(campaignKey)) continue
    if (content.placements.get(placementKey)?.slug === slug) return
  }
  throw new Problem(placementProblems.notFound, `The campaign is not booked on ${slug}.`)
}

function presentOwn(outcome: CandidateOutcome, names: Names): OwnWhy['ads'][number] {
  const { kind, ad, banner } = candidateNames(names, keysOfOutcome(outcome))
  const { reason } = outcome
  const isShown = reason === 'won'
  return { kind, ad, banner, isShown, reason, text: isShown ? 'is shown' : REASON_TEXT[reason] }
}

function presentNeeds(requirements: WinRequirements, names: Names): NonNullable<OwnWhy['needs']> {
  const { effectiveBidMicros, effectiveBidMicrosNeeded, scoreToBeat, hasWon } = requirements
  const isTooLow = effectiveBidMicros < effectiveBidMicrosNeeded
  const isUnderFloor = isTooLow && scoreToBeat === undefined
  const say = sayIn(names)
  const needs = requirements.obstacles.map((reason) => REASON_TEXT[reason])
  if (isUnderFloor) {
    needs.push(
      `it bids ${say(effectiveBidMicros)}, the floor asks ${say(effectiveBidMicrosNeeded)}`,
    )
  } else if (isTooLow) needs.push('others bid more for this reader')
  const name = adName(names, requirements.adKey)
  return {
    ad: name,
    isShown: hasWon,
    obstacles: requirements.obstacles.map((reason) => ({ reason, text: REASON_TEXT[reason] })),
    isOutbid: isTooLow && !isUnderFloor,
    bidMicros: String(effectiveBidMicros),
    floorBidMicros: isUnderFloor ? String(effectiveBidMicrosNeeded) : null,
    text: sayNeeds(name.name, { hasWon, needs }),
  }
}

function sayNeeds(
  name: string,
  { hasWon, needs }: { readonly hasWon: boolean; readonly needs: readonly string[] },
): string {
  if (hasWon) return `“${name}” is shown to this reader.`
  if (needs.length === 0) return `Nothing stops “${name}”: it needs nothing but a free place.`
  return `“${name}” would be shown if this were otherwise: ${needs.join('; ')}.`
}
