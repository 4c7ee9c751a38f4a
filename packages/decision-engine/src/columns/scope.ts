import { NONE, OFFER, OFFER_COLD, OFFER_FLAG } from './catalogue.ts'
import type { DecisionIndex } from './catalogue.ts'
import { Rows } from './rows.ts'
import { type SlotOrder, SortedList } from './sorted-list.ts'

/** Pair 0: offers for any request. */
export const ANY = 0

/** Lanes of a pair, for the list per thousand impressions and, beside it, the one per click. */
const PAIR = { lanes: 3, worth: 0, head: 4 } as const

/**
 * The auction candidates of one placement, or of one placement type, best first. Lists come in pairs,
 * bids per thousand impressions and per click apart, because only the latter depend on the context: pair
 * n is the lists 2n and 2n + 1.
 */
export class Scope {
  readonly lists: SortedList[] = [new SortedList(), new SortedList()]
  /** Which pair has the offers that are anchored at a term. */
  readonly pairByTerm = new Map<number, number>()
  count = 0
  isSplit = false
  /** Some ad has a click term of its own, so that bounds are no longer exact scores. */
  isLearned = false
  private readonly index: DecisionIndex
  private readonly cpmOrder: SlotOrder
  private readonly cpcOrder: SlotOrder
  private readonly loaded: number[] = []
  /** The heads of the lists: most lists of a request are only looked at. */
  private readonly pairs = new Rows(PAIR.lanes, 1)

  constructor(index: DecisionIndex) {
    this.index = index
    this.cpmOrder = byKeyDescending(index, (offer) => worthAt(index, offer))
    this.cpcOrder = byKeyDescending(index, (offer) => this.clickWorth(offer))
    this.addPair()
  }

  /** The best offer of a list; NONE where it is empty. */
  headOf(list: number): number {
    return this.pairs.i32[(list >> 1) * PAIR.lanes * 2 + PAIR.head + (list & 1)]!
  }

  /** What its head is worth; of a list per click, its click worth. */
  worthOf(list: number): number {
    return this.pairs.f64[(list >> 1) * PAIR.lanes + PAIR.worth + (list & 1)]!
  }

  add(offer: number): void {
    this.noteOdds(offer)
    this.count++
    if (!this.isSplit && this.count > this.index.splitAbove) this.split()
    for (const term of this.termsOf(offer)) {
      const list = this.listFor(term, offer)
      this.lists[list]!.insert(offer, this.orderOf(offer))
      this.noteHead(list)
    }
  }

  remove(offer: number): void {
    this.count--
    for (const term of this.termsOf(offer)) {
      const list = this.listFor(term, offer)
      this.lists[list]!.remove(offer, this.orderOf(offer))
      this.noteHead(list)
      this.dropIfEmpty(term)
    }
  }

  /**
   * Before an offer's worth, quality or odds change, and nothing else of it; `settle` follows. Ranks are
   * like each other in all lists: the last one found is returned, to begin with in the next scope.
   */
  seek(offer: number, expectedRank: number): number {
    let rank = expectedRank
    for (const term of this.termsOf(offer)) {
      rank = this.lists[this.listFor(term, offer)]!.seek(offer, this.orderOf(offer), rank)
    }
    return rank
  }

  settle(offer: number): void {
    this.noteOdds(offer)
    for (const term of this.termsOf(offer)) {
      const number = this.listFor(term, offer)
      const list = this.lists[number]!
      list.settle(offer, this.orderOf(offer))
      if (list.first === offer || this.headOf(number) === offer) this.noteHead(number)
    }
  }

  /** Collects while the catalogue is loaded; `build` sorts once. */
  load(offer: number): void {
    this.noteOdds(offer)
    this.loaded.push(offer)
  }

  build(): void {
    if (this.loaded.length === 0) return
    this.count = this.loaded.length
    this.isSplit = this.count > this.index.splitAbove
    this.distribute(this.loaded)
    this.loaded.length = 0
  }

  /** Times the odds of a context, this is more than a cpc offer scores there, and hardly more. */
  clickWorth(offer: number): number {
    const { f64 } = this.index.offers
    const at = offer * OFFER.lanes
    return f64[at + OFFER.worth]! * f64[at + OFFER.odds]!
  }

  private split(): void {
    const [cpm, cpc] = this.lists as [SortedList, SortedList]
    const offers = [...cpm.toArray(), ...cpc.toArray()]
    cpm.clear()
    cpc.clear()
    this.noteHead(0)
    this.noteHead(1)
    this.isSplit = true
    this.distribute(offers)
  }

  private distribute(offers: readonly number[]): void {
    const parts = new Map<number, number[]>()
    for (const offer of offers) {
      for (const term of this.termsOf(offer)) {
        const list = this.listFor(term, offer)
        const part = parts.get(list)
        if (part === undefined) parts.set(list, [offer])
        else part.push(offer)
      }
    }
    for (const [list, part] of parts) {
      this.lists[list]!.replace(Int32Array.from(part), this.orderOf(part[0]!))
      this.noteHead(list)
    }
  }

  private termsOf(offer: number): readonly number[] {
    if (!this.isSplit) return ANY_REQUEST
    const campaign = this.index.offers.i32[offer * OFFER.lanes * 2 + OFFER.campaign]!
    const anchors = this.index.campaignDetails[campaign]!.anchors
    return anchors.length === 0 ? ANY_REQUEST : anchors
  }

  /** Its number. */
  private listFor(term: number, offer: number): number {
    let pair = term === 0 ? ANY : this.pairByTerm.get(term)
    if (pair === undefined) {
      pair = this.addPair()
      this.pairByTerm.set(term, pair)
    }
    return 2 * pair + (this.isCpc(offer) ? 1 : 0)
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
    const at = (list >> 1) * PAIR.lanes
    const isPerClick = list & 1
    this.pairs.i32[at * 2 + PAIR.head + isPerClick] = count === 0 ? NONE : first
    if (count === 0) return
    const worth = isPerClick ? this.clickWorth(first) : worthAt(this.index, first)
    this.pairs.f64[at + PAIR.worth + isPerClick] = worth
  }

  private orderOf(offer: number): SlotOrder {
    return this.isCpc(offer) ? this.cpcOrder : this.cpmOrder
  }

  private isCpc(offer: number): boolean {
    const state = this.index.offers.i32[offer * OFFER.lanes * 2 + OFFER.schedule]!
    return (state & OFFER_FLAG.cpc) !== 0
  }

  private noteOdds(offer: number): void {
    const odds = this.index.offers.f64[offer * OFFER.lanes + OFFER.odds]!
    if (odds !== 1) this.isLearned = true
  }
}

const ANY_REQUEST: readonly number[] = [0]

const worthAt = (index: DecisionIndex, offer: number) =>
  index.offers.f64[offer * OFFER.lanes + OFFER.worth]!

/** Best key first; then better quality, then the older ad: the order of ties in an auction. */
function byKeyDescending(index: DecisionIndex, keyOf: (offer: number) => number): SlotOrder {
  return (a, b) => {
    const difference = keyOf(b) - keyOf(a)
    if (difference !== 0) return difference
    const { f64 } = index.offers
    const quality = f64[b * OFFER.lanes + OFFER.quality]! - f64[a * OFFER.lanes + OFFER.quality]!
    if (quality !== 0) return quality
    const cold = index.offersCold.f64
    return (
      cold[a * OFFER_COLD.lanes + OFFER_COLD.key]! - cold[b * OFFER_COLD.lanes + OFFER_COLD.key]!
    )
  }
}
