import { MINUTE_MS } from '@placard/calendar'
import type { Advertiser, Campaign } from './buyers.ts'
import { type Holder, type HoldShares, judgeShare, type ShareRefusal } from './hold-share.ts'
import type { OpenReservation } from './reservations.ts'

/** Cells are found by hash: a collision makes a bound stricter, never looser. */
const CELLS = 2 ** 16
/** The last showing of a budget is held for the same reader once in this time. */
const LAST_SHOWING_MS = 10 * MINUTE_MS

export interface HoldOrder {
  readonly holder: Holder
  readonly costMicros: number
  /** What the next showing may cost. */
  readonly nextCostMicros?: number | undefined
}

/** What is free of a campaign's and of its advertiser's budget, for somebody who asks now. */
export interface FreeMicros {
  readonly ofCampaign: number
  readonly ofAdvertiser: number
}

/** Bounds what readers without a key hold of a budget. In memory of fixed size, however many they are. */
export class HoldGate {
  readonly refused: Record<ShareRefusal, number> = { holder: 0, unvouched: 0, last: 0 }
  private readonly shares: HoldShares
  private readonly held = new Float64Array(CELLS)
  private readonly lastAtMs = new Float64Array(CELLS).fill(-Infinity)

  constructor(shares: HoldShares) {
    this.shares = shares
  }

  /** Whether the reader may hold this much more of the campaign's money; counts it where not. */
  admits(
    campaign: Campaign,
    order: HoldOrder,
    { free, nowMs }: { readonly free: FreeMicros; readonly nowMs: number },
  ): boolean {
    const { holder, costMicros, nextCostMicros = 0 } = order
    const refusal =
      this.judge(campaign, order, free.ofCampaign) ??
      this.judge(campaign.advertiser!, order, free.ofAdvertiser)
    const leftMicros = Math.min(free.ofCampaign, free.ofAdvertiser) - costMicros
    const isLast = leftMicros < nextCostMicros
    const cell = cellOf(holder.number, campaign.owner)
    const isTooSoon = isLast && nowMs - this.lastAtMs[cell]! < LAST_SHOWING_MS
    const why = refusal ?? (isTooSoon ? 'last' : undefined)
    if (why !== undefined) {
      this.refused[why]++
      return false
    }
    if (isLast) this.lastAtMs[cell] = nowMs
    return true
  }

  take({ holder, campaign, advertiser, costMicros }: OpenReservation): void {
    if (holder !== undefined) this.change(holder, [campaign, advertiser], costMicros)
  }

  giveBack({ holder, campaign, advertiser, costMicros }: OpenReservation): void {
    if (holder !== undefined) this.change(holder, [campaign, advertiser], -costMicros)
  }

  private judge(
    buyer: Campaign | Advertiser,
    { holder, costMicros }: HoldOrder,
    freeMicros: number,
  ) {
    return judgeShare(
      {
        costMicros,
        freeMicros,
        ownMicros: this.held[cellOf(holder.number, buyer.owner)]!,
        unvouchedMicros: buyer.unvouchedMicros,
        isVouched: holder.isVouched,
      },
      this.shares,
    )
  }

  private change(holder: Holder, buyers: readonly (Campaign | Advertiser)[], micros: number): void {
    for (const buyer of buyers) {
      this.held[cellOf(holder.number, buyer.owner)]! += micros
      if (!holder.isVouched) buyer.unvouchedMicros += micros
    }
  }
}

function cellOf(holder: number, owner: number): number {
  let hash = Math.imul(holder, 0x9e3779b1) ^ Math.imul(owner, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) & (CELLS - 1)
}
