import { holdAuction, traceUnreached } from './auction.ts'
import { decideByType } from './by-type.ts'
import type { DecisionIndex, PlacementDetail } from '../columns/catalogue.ts'
import { type Decision, emptyDecision, topBids } from './decision.ts'
import { type Fill, fillBookings, fillFallbacks } from './direct.ts'
import type { Placement } from '../changes/records.ts'
import { type DecisionRequest, type Ports, Run, type RunSetting } from './run.ts'
import type { AuctionLists } from '../columns/auction-lists.ts'

/**
 * Answers one request. Pure except for the ports: the same index, request, live state and draws give
 * the same decision. Synchronous. The index must not change while it runs.
 */
export function decide(index: DecisionIndex, request: DecisionRequest, ports: Ports): Decision {
  if (request.placementKey === undefined) return decideByType(index, request, ports)
  const found = findActive(index, request.placementKey)
  const placement = ports.trace?.assumedPlacement(request.placementKey) ?? found
  if (placement === undefined) return emptyDecision(index, 'placement-not-found')
  const page =
    request.oncePerCampaign === true ? { campaigns: [], banners: [], labels: [] } : undefined
  return fillPlacement(index, request, { placement, ports, page })
}

export function fillPlacement(
  index: DecisionIndex,
  request: DecisionRequest,
  setting: RunSetting,
): Decision {
  const { placement } = setting
  const record = placement.record!
  const run = new Run(index, request, setting)
  const slots = Math.min(record.maxBanners, request.bannersMax ?? Infinity)
  const fill: Fill = { winners: [], slots }
  if (record.mode !== 'auction') fillBookings(run, placement, fill)
  if (record.mode !== 'direct') {
    fillByAuction(run, placement.auctionLists, fill)
  }
  if (record.allowPartialRender && fill.winners.length < slots) fillFallbacks(run, placement, fill)
  return conclude(run, fill)
}

function fillByAuction(run: Run, lists: AuctionLists, { winners, slots }: Fill): void {
  if (winners.length >= slots) traceUnreached(run)
  while (winners.length < slots) {
    const winner = holdAuction(run, lists)
    if (winner === undefined) return
    winners.push(winner)
  }
}

function conclude(run: Run, { winners, slots }: Fill): Decision {
  const isShort = winners.length < slots
  const record = run.placement.record!
  return {
    winners,
    placementKey: record.key,
    emptyReason: winners.length === 0 ? 'no-candidate' : undefined,
    needsPlaceholder: winners.length === 0 || (isShort && record.allowPartialRender),
    bidCount: run.bidsScored,
    topBids: topBids(run),
    floorMicros: run.floorMicros,
    indexVersion: run.index.version,
  }
}

export function findActive(index: DecisionIndex, key: number): PlacementDetail | undefined {
  const slot = index.placementRows.get(key)
  const placement = slot === undefined ? undefined : index.placements[slot]
  return placement?.record?.active === true ? placement : undefined
}

/** The active placement with this slug. */
export function findPlacement(index: DecisionIndex, slug: string): Placement | undefined {
  const slot = index.placementBySlug.get(slug)
  const record = slot === undefined ? undefined : index.placements[slot]!.record
  return record?.active === true ? record : undefined
}
