import type { DecisionIndex } from '../columns/catalogue.ts'
import { fillPlacement, findActive } from './decide.ts'
import { type Decision, type EmptyReason, emptyDecision } from './decision.ts'
import type { DecisionRequest, Ports, ShownOnPage } from './run.ts'
import type { RequestLimits } from './limits.ts'
import type { Shortlist } from './shortlist.ts'

export interface PageSlot {
  readonly placementKey: number
  readonly floorMicros?: number | undefined
  readonly bannersMax?: number | undefined
  /** Ads on the page's shortlist for this slot. Their scores are multiplied by their relevance. */
  readonly shortlist?: Shortlist | undefined
  readonly limits?: RequestLimits | undefined
}

export interface PageRequest extends Pick<DecisionRequest, 'nowMs' | 'userKnown' | 'context'> {
  readonly siteKey: number
  readonly slots: readonly PageSlot[]
  /** Share of page requests that the site's pacing leaves empty. */
  readonly throttle?: number | undefined
}

/**
 * Fills the slots of one page: the largest first, no campaign and no banner twice, no two campaigns that
 * share an exclusion label. Pacing is drawn once, before the choice; later it would hide how good the
 * choice is. Answers are in the order of the slots.
 */
export function decidePage(
  index: DecisionIndex,
  request: PageRequest,
  ports: Ports,
): readonly Decision[] {
  const { throttle = 0, slots } = request
  if (throttle > 0 && ports.draws.next() < throttle) {
    return slots.map(() => emptyDecision(index, 'site-paced'))
  }
  const page: ShownOnPage = { campaigns: [], banners: [], labels: [] }
  const decisions: Decision[] = slots.map(() => emptyDecision(index, 'no-candidate'))
  for (const at of largestFirst(index, slots)) {
    const slot = slots[at]!
    const placement = findSlot(index, request.siteKey, slot)
    decisions[at] =
      typeof placement === 'string'
        ? emptyDecision(index, placement)
        : fillPlacement(index, { ...request, ...slot }, { placement, ports, page })
  }
  return decisions
}

function findSlot(index: DecisionIndex, siteKey: number, { placementKey }: PageSlot) {
  const placement = findActive(index, placementKey)
  if (placement === undefined) return 'placement-not-found' satisfies EmptyReason
  if (placement.record!.siteKey !== siteKey) return 'placement-not-on-site' satisfies EmptyReason
  return placement
}

/** Positions of the slots, largest area first. Slots of equal area stay in the order of the page. */
function largestFirst(index: DecisionIndex, slots: readonly PageSlot[]): number[] {
  const areas = slots.map(({ placementKey }) => {
    const record = findActive(index, placementKey)?.record
    return (record?.width ?? 0) * (record?.height ?? 0)
  })
  return [...areas.keys()].toSorted((a, b) => areas[b]! - areas[a]! || a - b)
}
