import type { CapScope, FrequencyWindow } from '@placard/decision-engine'
import type { Random } from '../../../platform/random.ts'
import type { Clock } from '../../../platform/clock.ts'
import {
  grownCapacity,
  grownInts,
  ExpiringRows,
} from '../../../platform/background/expiring-rows.ts'
import { NO_ROW } from './count-rows.ts'
import type { CapKey, Counters, Hold, SeenRow, UserCounts } from '../counters/counters.ts'
import { NO_USER } from './user-directory.ts'
import { type UserCountsLost, Users } from './users.ts'
import { CurrentWindows, kindOf, stampOf } from '../counters/windows.ts'

export interface CountersOptions {
  readonly clock: Clock
  readonly random: Random
  /** With more, the one who was away longest is forgotten. */
  readonly usersMax?: number
  /** With more at once, serving refuses. */
  readonly holdsMax?: number
}

/** Counters that answer at once. */
export interface MemoryCounters extends Counters {
  read(userKey: string): MemoryUserCounts
  prolong(holdIds: readonly string[], holdMs: number): void
  release(holdId: string): void
  forget(userKey: string): number
  restore(rows: Iterable<SeenRow>): void
  snapshot(): CountersSnapshot
}

export interface MemoryUserCounts extends UserCounts {
  hold(caps: readonly CapKey[], holdMs: number): Hold | undefined
}

/** How often things happened since the start. */
interface HoldCounts {
  held: number
  /** A cap was full. */
  refused: number
  /** All holds that memory has room for were taken. */
  refusedFull: number
  released: number
  expired: number
  /** Prolonged or released under an id that is unknown or has ended: nothing was done. */
  unknown: number
}

export interface CountersSnapshot extends Readonly<HoldCounts>, Readonly<UserCountsLost> {
  readonly users: number
  readonly rows: number
  /** Of users, counts and holds. */
  readonly bytes: number
  readonly holds: number
}

export const createCounters = (options: CountersOptions): MemoryCounters =>
  new ProcessCounters(options)

const USERS_MAX = 1_000_000
/** A minute of 33,000 decisions a second of which nobody sees the ad. */
const HOLDS_MAX = 2_000_000
/** So that a long silence before a decision does not become a long decision. */
const ENDED_PER_CALL = 1_000
const NONE = -1

class ProcessCounters implements MemoryCounters {
  private readonly clock: Clock
  private readonly windows = new CurrentWindows()
  private readonly users: Users
  private readonly counts: HoldCounts = {
    held: 0,
    refused: 0,
    refusedFull: 0,
    released: 0,
    expired: 0,
    unknown: 0,
  }

  /** The columns of a hold: whose, and the first of its rows. */
  private readonly slots: ExpiringRows
  private holder = new Int32Array(0)
  private holderUses = new Int32Array(0)
  private firstItem = new Int32Array(0)
  /** The rows of a hold, as a chain. */
  private itemRow = new Int32Array(1024)
  private itemNext = new Int32Array(1024)
  private firstFreeItem = NONE
  private itemsTouched = 0

  constructor({ clock, random, usersMax, holdsMax }: CountersOptions) {
    this.clock = clock
    this.users = new Users({ stamps: this.windows.stamps, usersMax: usersMax ?? USERS_MAX })
    const start = Buffer.from(random.bytes(6)).toString('base64url')
    this.slots = new ExpiringRows({ prefix: `${start}.`, rowsMax: holdsMax ?? HOLDS_MAX })
  }

  read(userKey: string): MemoryUserCounts {
    this.giveBackEnded()
    return new OneUser(this, userKey, this.users.find(userKey))
  }

  prolong(holdIds: readonly string[], holdMs: number): void {
    for (const holdId of holdIds) {
      const slot = this.findOpen(holdId)
      if (slot !== undefined) this.slots.prolong(slot, this.clock.now().getTime(), holdMs)
    }
  }

  release(holdId: string): void {
    const slot = this.findOpen(holdId)
    if (slot === undefined) return
    this.end(slot)
    this.counts.released++
  }

  forget(userKey: string): number {
    return this.users.forget(userKey)
  }

  restore(rows: Iterable<SeenRow>, ended: readonly string[] = []): void {
    this.giveBackEnded()
    for (const { userKey, scope, key, window, impressions, atMs } of rows) {
      const kind = kindOf(scope, window)
      const stamp = this.windows.stamps[kind]!
      if (stampOf(window, atMs) !== stamp) continue
      const user = this.users.findOrAdd(userKey)
      const row = this.users.findOrAddRow(user, kind, key)
      const table = this.users.tableOf(user)
      table.setImpressions(row, stamp, Math.max(impressions, table.impressions(row, stamp)))
    }
    for (const holdId of ended) this.release(holdId)
  }

  snapshot(): CountersSnapshot {
    this.giveBackEnded()
    const { size: users, rows, lost } = this.users
    const holds = this.slots.size
    return { ...this.counts, ...lost, users, rows, holds, bytes: this.bytes() }
  }

  /** Held impressions count in every window, because each of them may still see it happen. */
  seen(user: number, kind: number, key: number): number {
    const table = this.users.tableOf(user)
    const row = table.find(user, kind, key)
    if (row === NO_ROW) return 0
    return table.held(row) + table.impressions(row, this.windows.stamps[kind]!)
  }

  usesOf(user: number): number {
    return user === NO_USER ? 0 : this.users.uses(user)
  }

  isCurrent({ user, uses }: OneUser): boolean {
    return user !== NO_USER && this.users.uses(user) === uses
  }

  /** The slot of the hold, or undefined. The reader then knows its user. */
  hold(reader: OneUser, caps: readonly CapKey[], holdMs: number): number | undefined {
    const nowMs = this.giveBackEnded()
    if (!this.isCurrent(reader)) reader.know(this.users.find(reader.userKey))
    if (!this.hasRoom(reader.user, caps)) {
      this.counts.refused++
      return undefined
    }
    const slot = this.slots.open(nowMs, holdMs)
    if (slot === undefined) {
      this.counts.refusedFull++
      return undefined
    }
    this.makeRoom(slot)
    if (reader.user === NO_USER && caps.length > 0) reader.know(this.users.add(reader.userKey))
    const { user } = reader
    this.holder[slot] = user
    this.holderUses[slot] = this.usesOf(user)
    this.firstItem[slot] = NONE
    for (const { scope, key, window } of caps) {
      this.addItem(slot, this.users.findOrAddRow(user, kindOf(scope, window), key))
    }
    this.counts.held++
    return slot
  }

  idOf(slot: number): string {
    return this.slots.idOf(slot)
  }

  private hasRoom(user: number, caps: readonly CapKey[]): boolean {
    for (const { scope, key, window, impressionsMax } of caps) {
      const seen = user === NO_USER ? 0 : this.seen(user, kindOf(scope, window), key)
      if (seen >= impressionsMax) return false
    }
    return true
  }

  /** Several caps of one thing and window are one count: the impression is held on it once. */
  private addItem(slot: number, row: number): void {
    const first = this.firstItem[slot]!
    for (let item = first; item !== NONE; item = this.itemNext[item]!) {
      if (this.itemRow[item] === row) return
    }
    const item = this.takeItem()
    this.itemRow[item] = row
    this.itemNext[item] = first
    this.firstItem[slot] = item
    this.users.tableOf(this.holder[slot]!).hold(row, 1)
  }

  /** A user who was forgotten meanwhile has no rows any more: only the hold itself ends. */
  private end(slot: number): void {
    const user = this.holder[slot]!
    const isKnown = user !== NO_USER && this.users.uses(user) === this.holderUses[slot]
    let item = this.firstItem[slot]!
    while (item !== NONE) {
      const row = this.itemRow[item]!
      if (isKnown) this.users.tableOf(user).hold(row, -1)
      const next = this.itemNext[item]!
      this.itemNext[item] = this.firstFreeItem
      this.firstFreeItem = item
      item = next
    }
    this.slots.close(slot)
  }

  private findOpen(holdId: string): number | undefined {
    const nowMs = this.giveBackEnded()
    const slot = this.slots.find(holdId)
    if (slot !== undefined && !this.slots.hasEnded(slot, nowMs)) return slot
    this.counts.unknown++
    return undefined
  }

  private giveBackEnded(): number {
    const nowMs = this.clock.now().getTime()
    this.windows.moveTo(nowMs)
    for (let ended = 0; ended < ENDED_PER_CALL; ended++) {
      const slot = this.slots.findEnded(nowMs)
      if (slot === undefined) break
      this.end(slot)
      this.counts.expired++
    }
    return nowMs
  }

  private bytes(): number {
    const { users, slots, holder, holderUses, firstItem, itemRow, itemNext } = this
    const columns = [holder, holderUses, firstItem, itemRow, itemNext]
    return columns.reduce((sum, { byteLength }) => sum + byteLength, users.bytes + slots.bytes)
  }

  private makeRoom(slot: number): void {
    if (slot < this.holder.length) return
    this.holder = grownInts(this.holder, this.slots.capacity)
    this.holderUses = grownInts(this.holderUses, this.slots.capacity)
    this.firstItem = grownInts(this.firstItem, this.slots.capacity)
  }

  private takeItem(): number {
    const free = this.firstFreeItem
    if (free !== NONE) {
      this.firstFreeItem = this.itemNext[free]!
      return free
    }
    if (this.itemsTouched === this.itemRow.length) {
      const capacity = grownCapacity(this.itemsTouched, Math.max(HOLDS_MAX, this.itemsTouched * 2))
      this.itemRow = grownInts(this.itemRow, capacity)
      this.itemNext = grownInts(this.itemNext, capacity)
    }
    return this.itemsTouched++
  }
}

/** One request's look at one user. */
class OneUser implements MemoryUserCounts {
  readonly userKey: string
  user = NO_USER
  uses = 0
  private readonly counters: ProcessCounters

  constructor(counters: ProcessCounters, userKey: string, user: number) {
    this.counters = counters
    this.userKey = userKey
    this.know(user)
  }

  know(user: number): void {
    this.user = user
    this.uses = this.counters.usesOf(user)
  }

  seen(scope: CapScope, key: number, window: FrequencyWindow): number {
    if (!this.counters.isCurrent(this)) return 0
    return this.counters.seen(this.user, kindOf(scope, window), key)
  }

  hold(caps: readonly CapKey[], holdMs: number): Hold | undefined {
    const slot = this.counters.hold(this, caps, holdMs)
    return slot === undefined ? undefined : { id: this.counters.idOf(slot) }
  }
}
