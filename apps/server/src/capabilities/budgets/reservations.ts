import type { Advertiser, Campaign } from './spender.ts'
import { grownFloats, TimedSlots } from '../../platform/timed-slots.ts'

/** What one reservation holds: whose money, on which budget day, and how much. */
export interface Order {
  readonly campaign: Campaign
  readonly advertiser: Advertiser
  readonly day: number
  readonly costMicros: number
}

/**
 * Open reservations as columns: a slot of `slots` is the same reservation in each of them. Whose they
 * are is told by keys: a million references would be copied as they grow and walked by every
 * collection of garbage, and those who ask meanwhile would wait.
 */
export class Reservations {
  readonly slots: TimedSlots
  campaignKeys = new Float64Array(0)
  advertiserKeys = new Float64Array(0)
  days = new Float64Array(0)
  costs = new Float64Array(0)

  constructor(slots: TimedSlots) {
    this.slots = slots
  }

  write(slot: number, { campaign, advertiser, day, costMicros }: Order): void {
    if (slot >= this.costs.length) this.grow(this.slots.capacity)
    this.campaignKeys[slot] = campaign.key
    this.advertiserKeys[slot] = advertiser.key
    this.days[slot] = day
    this.costs[slot] = costMicros
  }

  private grow(capacity: number): void {
    this.campaignKeys = grownFloats(this.campaignKeys, capacity)
    this.advertiserKeys = grownFloats(this.advertiserKeys, capacity)
    this.days = grownFloats(this.days, capacity)
    this.costs = grownFloats(this.costs, capacity)
  }
}
