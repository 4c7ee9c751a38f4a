import { NONE } from './candidate-rows.ts'
import type { DecisionIndex } from './catalogue.ts'
import { Rows } from './rows.ts'
import { type RowOrder, SortedList } from './sorted-list.ts'

/** Pair 0: candidates for any request. */
export const ANY = 0

/** A pair of lists: CPM bids and CPC bids. */
class PairRows extends Rows {
  constructor(capacity: number) {
    super({ hot: 3, cold: 0 }, capacity)
  }

  headScore(list: number): number {
    return this.f64[(list >> 1) * 3 + (list & 1)]!
  }

  setHeadScore(list: number, score: number): void {
    this.f64[(list >> 1) * 3 + (list & 1)] = score
  }

  head(list: number): number {
    return this.i32[(list >> 1) * 6 + 4 + (list & 1)]!
  }

  setHead(list: number, candidate: number): void {
    this.i32[(list >> 1) * 6 + 4 + (list & 1)] = candidate
  }
}

/**
 * The auction candidates of one placement, best first. CPM and CPC bids have separate lists, because
 * only CPC scores depend on the context. Pair n is list 2n (CPM) and list 2n + 1 (CPC).
 */
export class AuctionLists {
  readonly lists: SortedList[] = [new SortedList(), new SortedList()]
  /** The pair of lists for the candidates anchored at a term. */
  readonly pairByTerm = new Map<number, number>()
  count = 0
  isSplit = false
  /** Some ad has its own click term, so bounds are no longer exact scores. */
  isLearned = false
  private readonly index: DecisionIndex
  private readonly cpmOrder: RowOrder
  private readonly cpcOrder: RowOrder
  private readonly loaded: number[] = []
  /** The first candidate of each list. Most requests read no more of a list. */
  private readonly pairs = new PairRows(1)

  constructor(index: DecisionIndex) {
    this.index = index
    this.cpmOrder = byKeyDescending(index, (candidate) => baseScoreAt(index, candidate))
    this.cpcOrder = byKeyDescending(index, (candidate) => this.clickBaseScore(candidate))
    this.addPair()
  }

  /** The best candidate of a list, or NONE. */
  headOf(list: number): number {
    return this.pairs.head(list)
  }

  /** The base score of its first candidate; in a CPC list, the click base score. */
  headScoreOf(list: number): number {
    return this.pairs.headScore(list)
  }

  add(candidate: number): void {
    this.noteOdds(candidate)
    this.count++
    if (!this.isSplit && this.count > this.index.splitAbove) this.split()
    for (const term of this.termsOf(candidate)) {
      const list = this.listFor(term, candidate)
      this.lists[list]!.insert(candidate, this.orderOf(candidate))
      this.noteHead(list)
    }
  }

  remove(candidate: number): void {
    this.count--
    for (const term of this.termsOf(candidate)) {
      const list = this.listFor(term, candidate)
      this.lists[list]!.remove(candidate, this.orderOf(candidate))
      this.noteHead(list)
      this.dropIfEmpty(term)
    }
  }

  /**
   * Call before a candidate's base score, quality or odds change, and `reorder` afterwards. A
   * candidate has a similar rank in all lists, so the rank found last is returned as a guess for the next.
   */
  seek(candidate: number, expectedRank: number): number {
    let rank = expectedRank
    for (const term of this.termsOf(candidate)) {
      rank = this.lists[this.listFor(term, candidate)]!.seek(
        candidate,
        this.orderOf(candidate),
        rank,
      )
    }
    return rank
  }

  reorder(candidate: number): void {
    this.noteOdds(candidate)
    for (const term of this.termsOf(candidate)) {
      const number = this.listFor(term, candidate)
      const list = this.lists[number]!
      list.reorder(candidate, this.orderOf(candidate))
      if (list.first === candidate || this.headOf(number) === candidate) this.noteHead(number)
    }
  }

  /** Collects candidates while the catalogue loads. `build` sorts them once. */
  load(candidate: number): void {
    this.noteOdds(candidate)
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
    const [cpm, cpc] = this.lists as [SortedList, SortedList]
    const candidates = [...cpm.toArray(), ...cpc.toArray()]
    cpm.clear()
    cpc.clear()
    this.noteHead(0)
    this.noteHead(1)
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
      this.lists[list]!.replace(Int32Array.from(part), this.orderOf(part[0]!))
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
    let pair = term === 0 ? ANY : this.pairByTerm.get(term)
    if (pair === undefined) {
      pair = this.addPair()
      this.pairByTerm.set(term, pair)
    }
    return 2 * pair + (this.isCpc(candidate) ? 1 : 0)
  }

  private addPair(): number {
    const pair = this.pairs.take()
    if (2 * pair === this.lists.length) this.lists.push(new SortedList(), new SortedList())
    this.noteHead(2 * pair)
    this.noteHead(2 * pair + 1)
    return pair
  }

  private dropIfEmpty(term: number): void {
    const pair = this.pairByTerm.get(term)
    if (pair === undefined) return
    if (this.headOf(2 * pair) !== NONE || this.headOf(2 * pair + 1) !== NONE) return
    this.pairByTerm.delete(term)
    this.pairs.release(pair)
  }

  private noteHead(list: number): void {
    const { count, first } = this.lists[list]!
    this.pairs.setHead(list, count === 0 ? NONE : first)
    if (count === 0) return
    const score = list & 1 ? this.clickBaseScore(first) : baseScoreAt(this.index, first)
    this.pairs.setHeadScore(list, score)
  }

  private orderOf(candidate: number): RowOrder {
    return this.isCpc(candidate) ? this.cpcOrder : this.cpmOrder
  }

  private isCpc(candidate: number): boolean {
    return this.index.candidates.isCpc(candidate)
  }

  private noteOdds(candidate: number): void {
    const odds = this.index.candidates.odds(candidate)
    if (odds !== 1) this.isLearned = true
  }
}

const ANY_REQUEST: readonly number[] = [0]

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
