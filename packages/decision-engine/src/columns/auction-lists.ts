import { BID, NONE } from './candidate-rows.ts'
import type { DecisionIndex } from './catalogue.ts'
import { Rows } from './rows.ts'
import { type RowOrder, SortedList } from './sorted-list.ts'

/** Group 0: candidates for any request. */
export const ANY = 0

/** A group of lists, one for each kind of bid. A fourth place makes the arithmetic a shift. */
class GroupRows extends Rows {
  constructor(capacity: number) {
    super({ hot: 6, cold: 0 }, capacity)
  }

  headScore(list: number): number {
    return this.f64[(list >> 2) * 6 + (list & 3)]!
  }

  setHeadScore(list: number, score: number): void {
    this.f64[(list >> 2) * 6 + (list & 3)] = score
  }

  head(list: number): number {
    return this.i32[(list >> 2) * 12 + 8 + (list & 3)]!
  }

  setHead(list: number, candidate: number): void {
    this.i32[(list >> 2) * 12 + 8 + (list & 3)] = candidate
  }
}

/** The list of a kind of bid (`BID`) in a group. */
export const listOf = (group: number, kind: number): number => (group << 2) | kind

/**
 * The auction candidates of one placement, best first. Each kind of bid has its own lists, because what
 * the context adds to a score differs: nothing (CPM), the click rate (CPC), or click rate and conversion
 * rate (target).
 */
export class AuctionLists {
  readonly lists: SortedList[] = []
  /** The group of lists for the candidates anchored at a term. */
  readonly groupByTerm = new Map<number, number>()
  count = 0
  isSplit = false
  /** Some ad has its own click term, so bounds are no longer exact scores. */
  isLearned = false
  private learnedCount = 0
  private readonly index: DecisionIndex
  private readonly cpmOrder: RowOrder
  private readonly cpcOrder: RowOrder
  private readonly loaded: number[] = []
  /** The first candidate of each list. Most requests read no more of a list. */
  private readonly groups = new GroupRows(1)

  constructor(index: DecisionIndex) {
    this.index = index
    this.cpmOrder = byKeyDescending(index, (candidate) => baseScoreAt(index, candidate))
    this.cpcOrder = byKeyDescending(index, (candidate) => this.clickBaseScore(candidate))
    this.addGroup()
  }

  /** The best candidate of a list, or NONE. */
  headOf(list: number): number {
    return this.groups.head(list)
  }

  /** The base score of its first candidate; in a CPC list, the click base score. */
  headScoreOf(list: number): number {
    return this.groups.headScore(list)
  }

  add(candidate: number): void {
    this.countLearned(candidate, 1)
    this.count++
    if (!this.isSplit && this.count > this.index.splitAbove) this.split()
    for (const term of this.termsOf(candidate)) {
      const list = this.listFor(term, candidate)
      this.listAt(list).insert(candidate, this.orderOf(candidate))
      this.noteHead(list)
    }
  }

  remove(candidate: number): void {
    this.countLearned(candidate, -1)
    this.count--
    for (const term of this.termsOf(candidate)) {
      const list = this.listFor(term, candidate)
      this.listAt(list).remove(candidate, this.orderOf(candidate))
      this.noteHead(list)
      this.dropIfEmpty(term)
    }
  }

  /**
   * Call before a candidate's base score, quality or odds change, and `reorder` afterwards. A
   * candidate has a similar rank in all lists, so the rank found last is returned as a guess for the next.
   */
  seek(candidate: number, expectedRank: number): number {
    this.countLearned(candidate, -1)
    let rank = expectedRank
    for (const term of this.termsOf(candidate)) {
      rank = this.listAt(this.listFor(term, candidate)).seek(
        candidate,
        this.orderOf(candidate),
        rank,
      )
    }
    return rank
  }

  reorder(candidate: number): void {
    this.countLearned(candidate, 1)
    for (const term of this.termsOf(candidate)) {
      const number = this.listFor(term, candidate)
      const list = this.listAt(number)
      list.reorder(candidate, this.orderOf(candidate))
      if (list.first === candidate || this.headOf(number) === candidate) this.noteHead(number)
    }
  }

  /** Collects candidates while the catalogue loads. `build` sorts them once. */
  load(candidate: number): void {
    this.countLearned(candidate, 1)
    this.loaded.push(candidate)
  }

  build(): void {
    if (this.loaded.length === 0) return
    this.count = this.loaded.length
    this.isSplit = this.count > this.index.splitAbove
    this.distribute(this.loaded)
    this.loaded.length = 0
  }

  /** Times the odds of a context: an upper bound, a little above the candidate's CPC score there. */
  clickBaseScore(candidate: number): number {
    return this.index.candidates.baseScore(candidate) * this.index.candidates.odds(candidate)
  }

  private split(): void {
    const candidates: number[] = []
    for (const kind of KINDS) {
      const list = listOf(ANY, kind)
      candidates.push(...this.listAt(list).toArray())
      this.listAt(list).clear()
      this.noteHead(list)
    }
    this.isSplit = true
    this.distribute(candidates)
  }

  private distribute(candidates: readonly number[]): void {
    const parts = new Map<number, number[]>()
    for (const candidate of candidates) {
      for (const term of this.termsOf(candidate)) {
        const list = this.listFor(term, candidate)
        const part = parts.get(list)
        if (part === undefined) parts.set(list, [candidate])
        else part.push(candidate)
      }
    }
    for (const [list, part] of parts) {
      this.listAt(list).replace(Int32Array.from(part), this.orderOf(part[0]!))
      this.noteHead(list)
    }
  }

  private termsOf(candidate: number): readonly number[] {
    if (!this.isSplit) return ANY_REQUEST
    const campaign = this.index.candidates.campaign(candidate)
    const anchors = this.index.campaignDetails[campaign]!.anchors
    return anchors.length === 0 ? ANY_REQUEST : anchors
  }

  /** The number of the list that holds the candidate under this term. */
  private listFor(term: number, candidate: number): number {
    let group = term === 0 ? ANY : this.groupByTerm.get(term)
    if (group === undefined) {
      group = this.addGroup()
      this.groupByTerm.set(term, group)
    }
    return listOf(group, this.index.candidates.bidKind(candidate))
  }

  /** Lists are made when they are needed: few groups have bids of each kind. */
  private listAt(list: number): SortedList {
    return (this.lists[list] ??= new SortedList())
  }

  private addGroup(): number {
    const group = this.groups.take()
    for (const kind of KINDS) this.noteHead(listOf(group, kind))
    return group
  }

  private dropIfEmpty(term: number): void {
    const group = this.groupByTerm.get(term)
    if (group === undefined) return
    if (KINDS.some((kind) => this.headOf(listOf(group, kind)) !== NONE)) return
    this.groupByTerm.delete(term)
    this.groups.release(group)
  }

  private noteHead(list: number): void {
    const { count, first } = this.listAt(list)
    this.groups.setHead(list, count === 0 ? NONE : first)
    if (count === 0) return
    this.groups.setHeadScore(list, this.orderScoreOf(first))
  }

  /** By what its list is ordered. */
  private orderScoreOf(candidate: number): number {
    return this.index.candidates.isCpc(candidate)
      ? this.clickBaseScore(candidate)
      : baseScoreAt(this.index, candidate)
  }

  private orderOf(candidate: number): RowOrder {
    return this.index.candidates.isCpc(candidate) ? this.cpcOrder : this.cpmOrder
  }

  private countLearned(candidate: number, step: 1 | -1): void {
    if (this.index.candidates.odds(candidate) !== 1) this.learnedCount += step
    this.isLearned = this.learnedCount > 0
  }
}

const ANY_REQUEST: readonly number[] = [0]
const KINDS: readonly number[] = Object.values(BID)

const baseScoreAt = (index: DecisionIndex, candidate: number) =>
  index.candidates.baseScore(candidate)

/** Highest key first, then higher quality, then the older ad. An auction breaks ties in this order. */
function byKeyDescending(index: DecisionIndex, keyOf: (candidate: number) => number): RowOrder {
  return (a, b) => {
    const difference = keyOf(b) - keyOf(a)
    if (difference !== 0) return difference
    const quality = index.candidates.quality(b) - index.candidates.quality(a)
    if (quality !== 0) return quality
    return index.candidates.key(a) - index.candidates.key(b)
  }
}
