import type { Advertiser, Campaign } from './buyers.ts'
import { grownFloats, TimedSlots } from '../../../platform/background/expiring-rows.ts'

/** What one reservation holds: whose money, on which budget day, and how much. */
export interface Order {
  readonly campaign: Campaign
  readonly advertiser: Advertiser
  readonly day: number
  readonly costMicros: number
}

/** Everybody there is, by key. */
interface Spenders {
  readonly campaigns: ReadonlyMap<number, Campaign>
  readonly advertisers: ReadonlyMap<number, Advertiser>
}

/**
 * Open reservations as columns: a slot of `slots` is the same reservation in each of them. Whose they
 * are is told by keys: a million references would be copied as they grow and walked by every
 * collection of garbage, and those who ask meanwhile would wait.
 */
export class Reservations {
  readonly slots: TimedSlots
  private campaignKeys = new Float64Array(0)
  private advertiserKeys = new Float64Array(0)
  private days = new Float64Array(0)
  costs = new Float64Array(0)
  private readonly spenders: Spenders

  constructor(slots: TimedSlots, spenders: Spenders) {
    this.slots = slots
    this.spenders = spenders
  }

  write(slot: number, { campaign, advertiser, day, costMicros }: Order): void {
    if (slot >= this.costs.length) this.grow(this.slots.capacity)
    this.campaignKeys[slot] = campaign.key
    this.advertiserKeys[slot] = advertiser.key
    this.days[slot] = day
    this.costs[slot] = costMicros
  }

  /** Who has open reservations is not forgotten. */
  orderOf(slot: number): Order {
    const { campaigns, advertisers } = this.spenders
    return {
      campaign: campaigns.get(this.campaignKeys[slot]!)!,
      advertiser: advertisers.get(this.advertiserKeys[slot]!)!,
      day: this.days[slot]!,
      costMicros: this.costs[slot]!,
    }
  }

  private grow(capacity: number): void {
    this.campaignKeys = grownFloats(this.campaignKeys, capacity)
    this.advertiserKeys = grownFloats(this.advertiserKeys, capacity)
    this.days = grownFloats(this.days, capacity)
    this.costs = grownFloats(this.costs, capacity)
  }
}
