import type { Advertiser, Campaign } from './buyers.ts'
import type { Holder } from './hold-share.ts'
import { grownFloats, grownInts, ExpiringRows } from '../../../platform/background/expiring-rows.ts'

/** One reservation: who pays, on which budget day, and how much. */
export interface OpenReservation {
  readonly campaign: Campaign
  readonly advertiser: Advertiser
  readonly day: number
  readonly costMicros: number
  readonly holder: Holder | undefined
}

/** All advertisers and campaigns by key. */
interface Buyers {
  readonly campaigns: ReadonlyMap<number, Campaign>
  readonly advertisers: ReadonlyMap<number, Advertiser>
}

/**
 * Open reservations as columns: each array has one element per row. Buyers are stored as keys,
 * because a million references would be copied as the arrays grow, and every garbage collection
 * would walk them.
 */
export class Reservations {
  readonly rows: ExpiringRows
  private campaignKeys = new Float64Array(0)
  private advertiserKeys = new Float64Array(0)
  private days = new Float64Array(0)
  costs = new Float64Array(0)
  /** Numbers of holders, negative for those that nothing vouches for; 0 for none. */
  private holders = new Int32Array(0)
  private readonly buyers: Buyers

  constructor(rows: ExpiringRows, buyers: Buyers) {
    this.rows = rows
    this.buyers = buyers
  }

  write(row: number, { campaign, advertiser, day, costMicros, holder }: OpenReservation): void {
    if (row >= this.costs.length) this.grow(this.rows.capacity)
    this.holders[row] = packHolder(holder)
    this.campaignKeys[row] = campaign.key
    this.advertiserKeys[row] = advertiser.key
    this.days[row] = day
    this.costs[row] = costMicros
  }

  /** Campaigns and advertisers with open reservations are never removed. */
  read(row: number): OpenReservation {
    const { campaigns, advertisers } = this.buyers
    return {
      campaign: campaigns.get(this.campaignKeys[row]!)!,
      advertiser: advertisers.get(this.advertiserKeys[row]!)!,
      day: this.days[row]!,
      costMicros: this.costs[row]!,
      holder: unpackHolder(this.holders[row]!),
    }
  }

  private grow(capacity: number): void {
    this.campaignKeys = grownFloats(this.campaignKeys, capacity)
    this.advertiserKeys = grownFloats(this.advertiserKeys, capacity)
    this.days = grownFloats(this.days, capacity)
    this.costs = grownFloats(this.costs, capacity)
    this.holders = grownInts(this.holders, capacity)
  }
}

function packHolder(holder: Holder | undefined): number {
  if (holder === undefined) return 0
  return holder.isVouched ? holder.number : -holder.number
}

const unpackHolder = (packed: number): Holder | undefined =>
  packed === 0 ? undefined : { number: Math.abs(packed), isVouched: packed > 0 }
