import type { Advertiser, Campaign } from './spender.ts'
import { grownFloats, TimedSlots } from '../../platform/timed-slots.ts'

/** What one reservation holds: whose money, on which budget day, and how much. */
export interface Order {
  readonly campaign: Campaign
  readonly advertiser: Advertiser
  readonly day: number
  readonly costMicros: number
}

/** Open reservations as columns: a slot of `slots` is the same reservation in each of them. */
export class Reservations {
  readonly slots: TimedSlots
  readonly campaigns: Campaign[] = []
  readonly advertisers: Advertiser[] = []
  days = new Float64Array(0)
  costs = new Float64Array(0)

  constructor(slots: TimedSlots) {
    this.slots = slots
  }

  write(slot: number, { campaign, advertiser, day, costMicros }: Order): void {
    if (slot >= this.costs.length) {
      this.costs = grownFloats(this.costs, this.slots.capacity)
      this.days = grownFloats(this.days, this.slots.capacity)
    }
    this.campaigns[slot] = campaign
    this.advertisers[slot] = advertiser
    this.days[slot] = day
    this.costs[slot] = costMicros
  }

  orderOf(slot: number): Order {
    return {
      campaign: this.campaigns[slot]!,
      advertiser: this.advertisers[slot]!,
      day: this.days[slot]!,
      costMicros: this.costs[slot]!,
    }
  }
}
