import { Fingerprint } from './fingerprint.ts'

export const NO_USER = -1

/** Columns of a user, adjacent because one lookup reads most of them. */
const HIGH = 0
const LOW = 1
const NEWER = 2
const OLDER = 3
const USES = 4
const NOTE = 5
const COLUMNS = 6

const LOAD_MAX = 0.6

/**
 * Users in order of their last visit, in arrays allocated once: about 32 bytes per user and nothing
 * for the garbage collector to walk. A map of strings takes five times that. A user is known
 * by a fingerprint.
 */
export class UserDirectory {
  size = 0
  private readonly usersMax: number
  private readonly columns: Int32Array
  private newest = NO_USER
  private oldestUser = NO_USER
  private firstFree = NO_USER
  private touched = 0
  /** User + 1, or 0 if empty. */
  private readonly index: Int32Array
  /** Of the current lookup. */
  private readonly sought = new Fingerprint()

  constructor(usersMax: number) {
    this.usersMax = usersMax
    this.columns = new Int32Array(usersMax * COLUMNS)
    this.index = new Int32Array(2 ** Math.ceil(Math.log2((usersMax + 1) / LOAD_MAX)))
  }

  get isFull(): boolean {
    return this.size === this.usersMax
  }

  get bytes(): number {
    return this.index.byteLength + this.columns.byteLength
  }

  get oldest(): number {
    return this.oldestUser
  }

  /** How often the number was given to a new user. Numbers are reused after a user is removed. */
  uses(user: number): number {
    return this.columns[user * COLUMNS + USES]!
  }

  /** A number that the owner keeps with the user. */
  note(user: number): number {
    return this.columns[user * COLUMNS + NOTE]!
  }

  setNote(user: number, note: number): void {
    this.columns[user * COLUMNS + NOTE] = note
  }

  /** Makes the user the newest. */
  visit(userKey: string): number {
    this.sought.take(userKey)
    const user = this.index[this.findPlace()]! - 1
    if (user === NO_USER || user === this.newest) return user
    this.unlink(user)
    this.link(user)
    return user
  }

  /** The user must be new, and the directory not full. */
  add(userKey: string): number {
    if (this.isFull) throw new Error('the directory of users is full')
    this.sought.take(userKey)
    const user = this.take()
    this.columns[user * COLUMNS + HIGH] = this.sought.high
    this.columns[user * COLUMNS + LOW] = this.sought.low
    this.index[this.findPlace()] = user + 1
    this.link(user)
    this.size++
    return user
  }

  delete(user: number): void {
    const at = user * COLUMNS
    this.sought.high = this.columns[at + HIGH]!
    this.sought.low = this.columns[at + LOW]!
    this.closeGap(this.findPlace())
    this.unlink(user)
    this.columns[at + USES]!++
    this.columns[at + OLDER] = this.firstFree
    this.firstFree = user
    this.size--
  }

  private take(): number {
    const free = this.firstFree
    if (free === NO_USER) return this.touched++
    this.firstFree = this.columns[free * COLUMNS + OLDER]!
    return free
  }

  /** The index entry of the fingerprint, or the empty one where it would go. */
  private findPlace(): number {
    const { index, columns } = this
    const { high, low } = this.sought
    const mask = index.length - 1
    let place = low & mask
    for (;;) {
      const user = index[place]! - 1
      if (user === NO_USER) return place
      const at = user * COLUMNS
      if (columns[at + LOW] === low && columns[at + HIGH] === high) return place
      place = (place + 1) & mask
    }
  }

  private closeGap(place: number): void {
    const { index, columns } = this
    const mask = index.length - 1
    let gap = place
    for (let at = (gap + 1) & mask; index[at] !== 0; at = (at + 1) & mask) {
      const home = columns[(index[at]! - 1) * COLUMNS + LOW]! & mask
      const isAfterGap = ((at - home) & mask) < ((at - gap) & mask)
      if (isAfterGap) continue
      index[gap] = index[at]!
      gap = at
    }
    index[gap] = 0
  }

  private link(user: number): void {
    const { columns, newest } = this
    columns[user * COLUMNS + NEWER] = NO_USER
    columns[user * COLUMNS + OLDER] = newest
    if (newest === NO_USER) this.oldestUser = user
    else columns[newest * COLUMNS + NEWER] = user
    this.newest = user
  }

  private unlink(user: number): void {
    const { columns } = this
    const newer = columns[user * COLUMNS + NEWER]!
    const older = columns[user * COLUMNS + OLDER]!
    if (newer === NO_USER) this.newest = older
    else columns[newer * COLUMNS + OLDER] = older
    if (older === NO_USER) this.oldestUser = newer
    else columns[older * COLUMNS + NEWER] = newer
  }
}
