import { CountRows, NO_ROW } from './count-rows.ts'
import { NO_USER, UserDirectory } from './user-directory.ts'

/** Separate tables, so that growing one of them is short. */
const TABLES = 256
/** No person sees this many capped things. A robot may. */
const ROWS_PER_USER_MAX = 500

export interface UserCountsLost {
  /** Users removed because memory was full. Their caps start anew. */
  usersEvicted: number
  /** Users removed because all their windows were over. */
  usersIdle: number
  /** Counts dropped from users with too many. */
  rowsDropped: number
}

/**
 * Counts per user: users in order of their last visit, and the rows of each. A user is a small
 * number that is reused after the user is removed; `uses` tells the two apart.
 */
export class Users {
  readonly lost: UserCountsLost = { usersEvicted: 0, usersIdle: 0, rowsDropped: 0 }
  /** Stamps of the current windows by kind, kept up to date by the owner. */
  private readonly stamps: Int32Array
  /** Keeps the first count row of each user. */
  private readonly directory: UserDirectory
  private readonly tables = Array.from({ length: TABLES }, () => new CountRows())

  constructor({ stamps, usersMax }: { stamps: Int32Array; usersMax: number }) {
    this.stamps = stamps
    this.directory = new UserDirectory(usersMax)
  }

  get size(): number {
    return this.directory.size
  }

  get rows(): number {
    return this.tables.reduce((sum, { size }) => sum + size, 0)
  }

  get bytes(): number {
    return this.tables.reduce((sum, { bytes }) => sum + bytes, this.directory.bytes)
  }

  /** NO_USER if unknown. */
  find(userKey: string): number {
    return this.directory.visit(userKey)
  }

  findOrAdd(userKey: string): number {
    const known = this.directory.visit(userKey)
    return known === NO_USER ? this.add(userKey) : known
  }

  /** The user must be new. */
  add(userKey: string): number {
    this.makeRoom()
    const user = this.directory.add(userKey)
    this.directory.setNote(user, NO_ROW)
    return user
  }

  /** Removes the user and returns the number of counts removed. */
  forget(userKey: string): number {
    const user = this.directory.visit(userKey)
    return user === NO_USER ? 0 : this.drop(user)
  }

  uses(user: number): number {
    return this.directory.uses(user)
  }

  tableOf(user: number): CountRows {
    return this.tables[user % TABLES]!
  }

  findOrAddRow(user: number, kind: number, key: number): number {
    const table = this.tableOf(user)
    const row = table.find(user, kind, key)
    if (row !== NO_ROW) return row
    this.dropIdleRows(user)
    const added = table.add({ user, kind, key, next: this.directory.note(user) })
    this.directory.setNote(user, added)
    return added
  }

  /** Drops rows whose window is over; above the limit, also the oldest rows. */
  private dropIdleRows(user: number): void {
    const table = this.tableOf(user)
    let before = NO_ROW
    let kept = 0
    let row = this.directory.note(user)
    while (row !== NO_ROW) {
      const next = table.next(row)
      const isTooMany = kept >= ROWS_PER_USER_MAX && table.held(row) === 0
      if (isTooMany || this.isIdle(table, row)) {
        if (before === NO_ROW) this.directory.setNote(user, next)
        else table.setNext(before, next)
        table.remove(row)
        if (isTooMany) this.lost.rowsDropped++
      } else {
        before = row
        kept++
      }
      row = next
    }
  }

  private isIdle(table: CountRows, row: number): boolean {
    return table.held(row) === 0 && table.impressions(row, this.stamps[table.kindOf(row)]!) === 0
  }

  /**
   * Makes room for a new user: removes the least recently seen one if all its windows are over or
   * memory is full.
   */
  private makeRoom(): void {
    const { oldest, isFull } = this.directory
    if (oldest === NO_USER) return
    if (this.hasOnlyIdleRows(oldest)) this.lost.usersIdle++
    else if (isFull) this.lost.usersEvicted++
    else return
    this.drop(oldest)
  }

  /** Nothing is known of a user without a count: somebody made it up, or showed no ad. */
  dropIfUnseen(user: number): void {
    if (this.hasOnlyIdleRows(user)) this.drop(user)
  }

  private hasOnlyIdleRows(user: number): boolean {
    const table = this.tableOf(user)
    for (let row = this.directory.note(user); row !== NO_ROW; row = table.next(row)) {
      if (!this.isIdle(table, row)) return false
    }
    return true
  }

  private drop(user: number): number {
    const table = this.tableOf(user)
    let rows = 0
    let row = this.directory.note(user)
    while (row !== NO_ROW) {
      const next = table.next(row)
      table.remove(row)
      rows++
      row = next
    }
    this.directory.delete(user)
    return rows
  }
}
