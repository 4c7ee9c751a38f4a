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
  /** Above this number, the least recently seen user is removed. */
  readonly usersMax?: number
  /** Above this number, `hold` refuses. */
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

/** Counters since the process started. */
interface HoldCounts {
  held: number
  /** A cap was full. */
  refused: number
  /** The table of holds was full. */
  refusedFull: number
  released: number
  expired: number
  /** Prolonged or released with an id that is unknown or has ended. Nothing was done. */
  unknown: number
}

export interface CountersSnapshot extends Readonly<HoldCounts>, Readonly<UserCountsLost> {
  readonly users: number
  readonly rows: number
  /** Memory of users, counts and holds. */
  readonly bytes: number
  readonly holds: number
}

export const createCounters = (options: CountersOptions): MemoryCounters =>
  new ProcessCounters(options)

const USERS_MAX = 1_000_000
/** One minute of 33,000 decisions per second whose ads nobody sees. */
const HOLDS_MAX = 2_000_000
/** Limits the work of one call after a long pause without decisions. */
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

  /** Columns of a hold: its user, and the first of its count rows. */
  private readonly holdTable: ExpiringRows
  private holder = new Int32Array(0)
  private holderUses = new Int32Array(0)
  private firstItem = new Int32Array(0)
  /** The count rows of a hold, as a chain. */
  private itemRow = new Int32Array(1024)
  private itemNext = new Int32Array(1024)
  private firstFreeItem = NONE
  private itemsTouched = 0

  constructor({ clock, random, usersMax, holdsMax }: CountersOptions) {
    this.clock = clock
    this.users = new Users({ stamps: this.windows.stamps, usersMax: usersMax ?? USERS_MAX })
    const start = Buffer.from(random.bytes(6)).toString('base64url')
    this.holdTable = new ExpiringRows({ prefix: `${start}.`, rowsMax: holdsMax ?? HOLDS_MAX })
  }

  read(userKey: string): MemoryUserCounts {
    this.giveBackEnded()
    return new OneUser(this, userKey, this.users.find(userKey))
  }

  prolong(holdIds: readonly string[], holdMs: number): void {
    for (const holdId of holdIds) {
      const holdRow = this.findOpen(holdId)
      if (holdRow !== undefined) this.holdTable.prolong(holdRow, this.clock.now().getTime(), holdMs)
    }
  }

  release(holdId: string): void {
    const holdRow = this.findOpen(holdId)
    if (holdRow === undefined) return
    this.end(holdRow)
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
    const holds = this.holdTable.size
    return { ...this.counts, ...lost, users, rows, holds, bytes: this.bytes() }
  }

  /** Holds count in every window, because each of them may still get the impression. */
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

  /** The row of the hold, or undefined. Afterwards the reader knows its user. */
  hold(reader: OneUser, caps: readonly CapKey[], holdMs: number): number | undefined {
    const nowMs = this.giveBackEnded()
    if (!this.isCurrent(reader)) reader.know(this.users.find(reader.userKey))
    if (!this.hasRoom(reader.user, caps)) {
      this.counts.refused++
      return undefined
    }
    const holdRow = this.holdTable.open(nowMs, holdMs)
    if (holdRow === undefined) {
      this.counts.refusedFull++
      return undefined
    }
    this.makeRoom(holdRow)
    if (reader.user === NO_USER && caps.length > 0) reader.know(this.users.add(reader.userKey))
    const { user } = reader
    this.holder[holdRow] = user
    this.holderUses[holdRow] = this.usesOf(user)
    this.firstItem[holdRow] = NONE
    for (const { scope, key, window } of caps) {
      this.addItem(holdRow, this.users.findOrAddRow(user, kindOf(scope, window), key))
    }
    this.counts.held++
    return holdRow
  }

  idOf(holdRow: number): string {
    return this.holdTable.idOf(holdRow)
  }

  private hasRoom(user: number, caps: readonly CapKey[]): boolean {
    for (const { scope, key, window, impressionsMax } of caps) {
      const seen = user === NO_USER ? 0 : this.seen(user, kindOf(scope, window), key)
      if (seen >= impressionsMax) return false
    }
    return true
  }

  /** Several caps on one thing and window share one count: the hold counts once. */
  private addItem(holdRow: number, row: number): void {
    const first = this.firstItem[holdRow]!
    for (let item = first; item !== NONE; item = this.itemNext[item]!) {
      if (this.itemRow[item] === row) return
    }
    const item = this.takeItem()
    this.itemRow[item] = row
    this.itemNext[item] = first
    this.firstItem[holdRow] = item
    this.users.tableOf(this.holder[holdRow]!).hold(row, 1)
  }

  /** A user removed meanwhile has no count rows. Only the hold itself ends. */
  private end(holdRow: number): void {
    const user = this.holder[holdRow]!
    const isKnown = user !== NO_USER && this.users.uses(user) === this.holderUses[holdRow]
    let item = this.firstItem[holdRow]!
    while (item !== NONE) {
      const row = this.itemRow[item]!
      if (isKnown) this.users.tableOf(user).hold(row, -1)
      const next = this.itemNext[item]!
      this.itemNext[item] = this.firstFreeItem
      this.firstFreeItem = item
      item = next
    }
    if (isKnown) this.users.dropIfUnseen(user)
    this.holdTable.close(holdRow)
  }

  private findOpen(holdId: string): number | undefined {
    const nowMs = this.giveBackEnded()
    const holdRow = this.holdTable.find(holdId)
    if (holdRow !== undefined && !this.holdTable.hasEnded(holdRow, nowMs)) return holdRow
    this.counts.unknown++
    return undefined
  }

  private giveBackEnded(): number {
    const nowMs = this.clock.now().getTime()
    this.windows.moveTo(nowMs)
    for (let ended = 0; ended < ENDED_PER_CALL; ended++) {
      const holdRow = this.holdTable.findEnded(nowMs)
      if (holdRow === undefined) break
      this.end(holdRow)
      this.counts.expired++
    }
    return nowMs
  }

  private bytes(): number {
    const { users, holdTable, holder, holderUses, firstItem, itemRow, itemNext } = this
    const columns = [holder, holderUses, firstItem, itemRow, itemNext]
    return columns.reduce((sum, { byteLength }) => sum + byteLength, users.bytes + holdTable.bytes)
  }

  private makeRoom(holdRow: number): void {
    if (holdRow < this.holder.length) return
    this.holder = grownInts(this.holder, this.holdTable.capacity)
    this.holderUses = grownInts(this.holderUses, this.holdTable.capacity)
    this.firstItem = grownInts(this.firstItem, this.holdTable.capacity)
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

/** One request's view of one user. */
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
    const holdRow = this.counters.hold(this, caps, holdMs)
    return holdRow === undefined ? undefined : { id: this.counters.idOf(holdRow) }
  }
}
