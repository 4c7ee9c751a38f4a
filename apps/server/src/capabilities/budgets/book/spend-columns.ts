import { grownFloats } from '../../../platform/background/expiring-rows.ts'

/** Columns of one owner, adjacent because one budget check reads most of them. */
const DAILY_LIMIT = 0
const TOTAL_LIMIT = 1
/** A ledger account is three columns: budget day (unused for lifetimes), spent, held. */
const IN_ALL = 2
const EVEN_DAY = 5
const ODD_DAY = 8
const DAY = 0
const SPENT = 1
const HELD = 2
const COLUMNS = 11

/** The highest amount that a number counts exactly. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER

export interface EndedHold {
  readonly heldMicros: number
  readonly chargedMicros: number
}

/**
 * Limit, spend and holds of campaigns and advertisers: for their lifetime and for the two latest
 * budget days, because around midnight money is held on both. Whole micros. An owner is an offset
 * in one array. A day that a later one replaced is closed: its spend is gone, so nothing fits on
 * it.
 */
export class SpendColumns {
  private columns = new Float64Array(64 * COLUMNS)
  private touched = 0
  private readonly free: number[] = []

  addOwner(): number {
    const owner = this.free.pop() ?? this.touched++ * COLUMNS
    if (owner === this.columns.length) this.columns = grownFloats(this.columns, owner * 2)
    this.columns.fill(0, owner, owner + COLUMNS)
    this.columns[owner + EVEN_DAY + DAY] = -Infinity
    this.columns[owner + ODD_DAY + DAY] = -Infinity
    this.setLimits(owner, undefined, undefined)
    return owner
  }

  dropOwner(owner: number): void {
    this.free.push(owner)
  }

  isEmpty(owner: number): boolean {
    return [IN_ALL, EVEN_DAY, ODD_DAY].every((account) => this.used(owner + account) === 0)
  }

  setLimits(owner: number, daily: number | undefined, total: number | undefined): void {
    this.columns[owner + DAILY_LIMIT] = daily ?? NO_LIMIT
    this.columns[owner + TOTAL_LIMIT] = total ?? NO_LIMIT
  }

  dailyLimit(owner: number): number {
    return this.columns[owner + DAILY_LIMIT]!
  }

  totalLimit(owner: number): number {
    return this.columns[owner + TOTAL_LIMIT]!
  }

  leastLimit(owner: number): number {
    return Math.min(this.dailyLimit(owner), this.totalLimit(owner))
  }

  /** Whether this much more fits, today and for the lifetime. */
  fits(owner: number, day: number, micros: number): boolean {
    const account = this.dayAccount(owner, day)
    const storedDay = this.columns[account + DAY]!
    const usedToday = storedDay === day ? this.used(account) : 0
    return (
      storedDay <= day &&
      usedToday + micros <= this.dailyLimit(owner) &&
      this.used(owner + IN_ALL) + micros <= this.totalLimit(owner)
    )
  }

  /** How much more may be used, today and in all. Huge where there is no limit. */
  freeOn(owner: number, day: number): number {
    return Math.min(
      this.dailyLimit(owner) - this.usedOn(owner, day),
      this.totalLimit(owner) - this.used(owner + IN_ALL),
    )
  }

  hold(owner: number, day: number, micros: number): void {
    const account = this.openDay(owner, day)
    this.columns[owner + IN_ALL + HELD]! += micros
    this.columns[account + HELD]! += micros
  }

  /** Ends a hold on the day it was held: the charge is spent, the rest is free again. */
  endHold(owner: number, day: number, { heldMicros, chargedMicros }: EndedHold): void {
    this.columns[owner + IN_ALL + HELD]! -= heldMicros
    this.columns[owner + IN_ALL + SPENT]! += chargedMicros
    const account = this.dayAccount(owner, day)
    if (this.columns[account + DAY] !== day) return
    this.columns[account + HELD]! -= heldMicros
    this.columns[account + SPENT]! += chargedMicros
  }

  raiseSpentInAll(owner: number, micros: number): void {
    this.raise(owner + IN_ALL, micros)
  }

  raiseSpentOn(owner: number, day: number, micros: number): void {
    if (this.columns[this.dayAccount(owner, day) + DAY]! > day) return
    this.raise(this.openDay(owner, day), micros)
  }

  setSpentInAll(owner: number, micros: number): void {
    this.columns[owner + IN_ALL + SPENT] = micros
  }

  setSpentOn(owner: number, day: number, micros: number): void {
    if (this.columns[this.dayAccount(owner, day) + DAY]! > day) return
    this.columns[this.openDay(owner, day) + SPENT] = micros
  }

  usedOn(owner: number, day: number): number {
    return this.spentOn(owner, day) + this.heldOn(owner, day)
  }

  /** The used share of the daily limit, or of the lifetime limit without a daily one. */
  shareUsed(owner: number, day: number): number {
    const daily = this.dailyLimit(owner)
    if (daily !== NO_LIMIT) return shareOf(this.usedOn(owner, day), daily)
    const total = this.totalLimit(owner)
    return total === NO_LIMIT ? 0 : shareOf(this.used(owner + IN_ALL), total)
  }

  spentOn(owner: number, day: number): number {
    const account = this.dayAccount(owner, day)
    return this.columns[account + DAY] === day ? this.columns[account + SPENT]! : 0
  }

  heldOn(owner: number, day: number): number {
    const account = this.dayAccount(owner, day)
    return this.columns[account + DAY] === day ? this.columns[account + HELD]! : 0
  }

  spentInAll(owner: number): number {
    return this.columns[owner + IN_ALL + SPENT]!
  }

  heldInAll(owner: number): number {
    return this.columns[owner + IN_ALL + HELD]!
  }

  private used(account: number): number {
    return this.columns[account + SPENT]! + this.columns[account + HELD]!
  }

  private raise(account: number, micros: number): void {
    this.columns[account + SPENT] = Math.max(this.columns[account + SPENT]!, micros)
  }

  /** Even and odd days alternate, so the columns may still hold an older day. */
  private dayAccount(owner: number, day: number): number {
    return owner + ((day & 1) === 0 ? EVEN_DAY : ODD_DAY)
  }

  private openDay(owner: number, day: number): number {
    const account = this.dayAccount(owner, day)
    const storedDay = this.columns[account + DAY]!
    if (storedDay === day) return account
    if (storedDay > day) throw new Error(`budget day ${day} is closed`)
    this.columns[account + DAY] = day
    this.columns[account + SPENT] = 0
    this.columns[account + HELD] = 0
    return account
  }
}

const shareOf = (usedMicros: number, limitMicros: number) =>
  limitMicros === 0 ? 1 : usedMicros / limitMicros
