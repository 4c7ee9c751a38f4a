import { grownFloats } from './timed-slots.ts'

/** Lanes of one account. The day is that of a budget day, and unused for a lifetime. */
const DAY = 0
const SPENT = 1
const HELD = 2
const LANES = 3
const LIFETIME_AND_TWO_DAYS = 3

export interface Settlement {
  readonly heldMicros: number
  readonly chargedMicros: number
}

/**
 * What campaigns and advertisers have spent and hold: in all, and on the two latest budget days,
 * because around midnight money is held on both. Whole micros; an account is its place in one array.
 */
export class Accounts {
  private lanes = new Float64Array(64 * LIFETIME_AND_TWO_DAYS * LANES)
  private owners = 0
  private readonly free: number[] = []

  addOwner(): number {
    const owner = this.free.pop() ?? this.owners++ * LIFETIME_AND_TWO_DAYS * LANES
    const end = owner + LIFETIME_AND_TWO_DAYS * LANES
    if (end > this.lanes.length) this.lanes = grownFloats(this.lanes, this.lanes.length * 2)
    this.lanes.fill(0, owner, end)
    this.lanes[owner + LANES + DAY] = -Infinity
    this.lanes[owner + 2 * LANES + DAY] = -Infinity
    return owner
  }

  dropOwner(owner: number): void {
    this.free.push(owner)
  }

  lifetimeOf(owner: number): number {
    return owner
  }

  /** The account of a budget day if the owner has it. */
  findDay(owner: number, day: number): number | undefined {
    const account = placeOf(owner, day)
    return this.lanes[account + DAY] === day ? account : undefined
  }

  /**
   * The account of a budget day, opened when it is new. Undefined for a day so old that a later one
   * has its place: its spend is forgotten, so nothing more may be spent on it.
   */
  openDay(owner: number, day: number): number | undefined {
    const account = placeOf(owner, day)
    const there = this.lanes[account + DAY]!
    if (there === day) return account
    if (there > day) return undefined
    this.lanes[account + DAY] = day
    this.lanes[account + SPENT] = 0
    this.lanes[account + HELD] = 0
    return account
  }

  isEmpty(owner: number): boolean {
    for (let account = owner; account < owner + LIFETIME_AND_TWO_DAYS * LANES; account += LANES) {
      if (this.used(account) > 0) return false
    }
    return true
  }

  spent(account: number): number {
    return this.lanes[account + SPENT]!
  }

  held(account: number): number {
    return this.lanes[account + HELD]!
  }

  used(account: number): number {
    return this.lanes[account + SPENT]! + this.lanes[account + HELD]!
  }

  setSpent(account: number, micros: number): void {
    this.lanes[account + SPENT] = micros
  }

  hold(account: number, micros: number): void {
    this.lanes[account + HELD]! += micros
  }

  /** Ends a hold: what was charged is spent, the rest is free again. */
  settle(account: number, { heldMicros, chargedMicros }: Settlement): void {
    this.lanes[account + HELD]! -= heldMicros
    this.lanes[account + SPENT]! += chargedMicros
  }
}

/** Two days in turn. */
function placeOf(owner: number, day: number): number {
  return owner + (1 + (day & 1)) * LANES
}
