export const NO_USER = -1
const LOAD_MAX = 0.6

/**
 * Users in order of their last visit, in typed arrays made once: 32 bytes a user and nothing for the
 * garbage collector to walk, where a map of strings takes five times that. A user is known by the 64
 * bits of a fingerprint; among ten million, two are taken for one with a chance of 3 in a million.
 */
export class UserDirectory {
  size = 0
  private readonly usersMax: number
  private readonly high: Int32Array
  private readonly low: Int32Array
  private readonly newer: Int32Array
  private readonly older: Int32Array
  private newest = NO_USER
  private oldestUser = NO_USER
  private firstFree = NO_USER
  private touched = 0
  /** User + 1, 0 for an empty place. */
  private readonly index: Int32Array
  /** The fingerprint asked for last; fields, because a pair would be an object for each question. */
  private askedHigh = 0
  private askedLow = 0

  constructor(usersMax: number) {
    this.usersMax = usersMax
    this.high = new Int32Array(usersMax)
    this.low = new Int32Array(usersMax)
    this.newer = new Int32Array(usersMax)
    this.older = new Int32Array(usersMax)
    this.index = new Int32Array(2 ** Math.ceil(Math.log2((usersMax + 1) / LOAD_MAX)))
  }

  get isFull(): boolean {
    return this.size === this.usersMax
  }

  get bytes(): number {
    return this.index.byteLength + 4 * this.high.byteLength
  }

  get oldest(): number {
    return this.oldestUser
  }

  /** A visit: the user is the newest from now on. */
  visit(userKey: string): number {
    this.ask(userKey)
    const user = this.index[this.findPlace()]! - 1
    if (user === NO_USER || user === this.newest) return user
    this.unlink(user)
    this.link(user)
    return user
  }

  /** The user must be new, and the directory not full. */
  add(userKey: string): number {
    if (this.isFull) throw new Error('the directory of users is full')
    this.ask(userKey)
    const user = this.firstFree === NO_USER ? this.touched++ : this.firstFree
    if (user === this.firstFree) this.firstFree = this.older[user]!
    this.high[user] = this.askedHigh
    this.low[user] = this.askedLow
    this.index[this.findPlace()] = user + 1
    this.link(user)
    this.size++
    return user
  }

  delete(user: number): void {
    this.askedHigh = this.high[user]!
    this.askedLow = this.low[user]!
    this.closeGap(this.findPlace())
    this.unlink(user)
    this.older[user] = this.firstFree
    this.firstFree = user
    this.size--
  }

  private ask(userKey: string): void {
    let high = 0x5bd1e995
    let low = 0x1b873593
    for (let at = 0; at < userKey.length; at++) {
      const code = userKey.charCodeAt(at)
      high = Math.imul(high ^ code, 0x9e3779b1)
      low = Math.imul(low ^ code, 0x5f356495)
    }
    high ^= Math.imul(low ^ (low >>> 15), 0x85ebca6b)
    low ^= Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
    this.askedHigh = high | 0
    this.askedLow = low ^ (low >>> 16)
  }

  /** Where the fingerprint is in the index, or where it would go. */
  private findPlace(): number {
    const { index, askedHigh, askedLow } = this
    const mask = index.length - 1
    let place = askedLow & mask
    for (;;) {
      const user = index[place]! - 1
      if (user === NO_USER) return place
      if (this.low[user] === askedLow && this.high[user] === askedHigh) return place
      place = (place + 1) & mask
    }
  }

  private closeGap(place: number): void {
    const { index } = this
    const mask = index.length - 1
    let gap = place
    for (let at = (gap + 1) & mask; index[at] !== 0; at = (at + 1) & mask) {
      const home = this.low[index[at]! - 1]! & mask
      const isAfterGap = ((at - home) & mask) < ((at - gap) & mask)
      if (isAfterGap) continue
      index[gap] = index[at]!
      gap = at
    }
    index[gap] = 0
  }

  private link(user: number): void {
    this.newer[user] = NO_USER
    this.older[user] = this.newest
    if (this.newest === NO_USER) this.oldestUser = user
    else this.newer[this.newest] = user
    this.newest = user
  }

  private unlink(user: number): void {
    const newer = this.newer[user]!
    const older = this.older[user]!
    if (newer === NO_USER) this.newest = older
    else this.older[newer] = older
    if (older === NO_USER) this.oldestUser = newer
    else this.newer[older] = newer
  }
}
