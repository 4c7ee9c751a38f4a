import type { DecisionIndex } from '../columns/catalogue.ts'
import { NONE } from '../columns/candidate-rows.ts'
import { isExpired, judgeActive, judgeSite } from '../columns/membership.ts'
import { PASSED } from '../explain/reasons.ts'
import { findActive } from './decide.ts'
import { judgeMoment } from './gates.ts'

/** Which showing they accompany. */
export interface CompanionQuestion {
  readonly placementKey: number
  readonly campaignKey: number
  readonly nowMs: number
}

/** A campaign may have thousands of ads; a player shows a few pictures. */
const CANDIDATES_TRIED_MAX = 200

/**
 * Keys of the campaign's banners that may stand beside its winner: active, on schedule, and neither
 * blocked nor unapproved by the site. They hold and cost nothing.
 */
export function companionBanners(index: DecisionIndex, question: CompanionQuestion): number[] {
  const campaign = index.campaignRows.get(question.campaignKey)
  const placement = findActive(index, question.placementKey)
  if (campaign === undefined || placement === undefined) return []
  const moment = { index, nowMs: question.nowMs }
  const { candidates, banners } = index
  const found = new Set<number>()
  let candidate = index.campaigns.firstCandidate(campaign)
  for (let tried = 0; tried < CANDIDATES_TRIED_MAX && candidate !== NONE; tried++) {
    const mayStand =
      judgeActive(index, candidate) === PASSED &&
      !isExpired(index, candidate) &&
      judgeMoment(moment, candidate) === PASSED &&
      judgeSite(index, candidate, placement) === PASSED
    if (mayStand) found.add(banners.key(candidates.banner(candidate)))
    candidate = candidates.nextOfCampaign(candidate)
  }
  return [...found]
}
