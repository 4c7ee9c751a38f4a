import { OFFER, OFFER_COLD, OFFER_FLAG } from './catalogue.ts'
import type { DecisionIndex } from './catalogue.ts'
import { type SlotOrder, SortedList } from './sorted-list.ts'

/** Bids per thousand impressions and per click apart: only the latter depend on the context. */
export interface ListPair {
  readonly cpm: SortedList
  readonly cpc: SortedList
}

const newPair = (): ListPair => ({ cpm: new SortedList(), cpc: new SortedList() })

/** The auction candidates of one placement, or of one placement type, best first. */
export class Scope {
  readonly any = newPair()
  readonly byTerm = new Map<number, ListPair>()
  count = 0
  isSplit = false
  /** Some ad has a click term of its own, so that bounds are no longer exact scores. */
  isLearned = false
  private readonly index: DecisionIndex
  private readonly cpmOrder: SlotOrder
  private readonly cpcOrder: SlotOrder
  private readonly loaded: number[] = []

  constructor(index: DecisionIndex) {
    this.index = index
    this.cpmOrder = byKeyDescending(index, (offer) => worthAt(index, offer))
    this.cpcOrder = byKeyDescending(index, (offer) => this.clickWorth(offer))
  }

  add(offer: number): void {
    this.noteOdds(offer)
    this.count++
    if (!this.isSplit && this.count > this.index.splitAbove) this.split()
    for (const term of this.termsOf(offer))
      this.listFor(term, offer).insert(offer, this.orderOf(offer))
  }

  remove(offer: number): void {
    this.count--
    for (const term of this.termsOf(offer)) {
      this.listFor(term, offer).remove(offer, this.orderOf(offer))
      this.dropIfEmpty(term)
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
    const offers = [...this.any.cpm.toArray(), ...this.any.cpc.toArray()]
    this.any.cpm.clear()
    this.any.cpc.clear()
    this.isSplit = true
    this.distribute(offers)
  }

  private distribute(offers: readonly number[]): void {
    const parts = new Map<SortedList, number[]>()
    for (const offer of offers) {
      for (const term of this.termsOf(offer)) {
        const list = this.listFor(term, offer)
        const part = parts.get(list)
        if (part === undefined) parts.set(list, [offer])
        else part.push(offer)
      }
    }
    for (const [list, part] of parts) {
      list.replace(Int32Array.from(part), this.orderOf(part[0]!))
    }
  }

  private termsOf(offer: number): readonly number[] {
    if (!this.isSplit) return ANY_REQUEST
    const campaign = this.index.offers.i32[offer * OFFER.lanes * 2 + OFFER.campaign]!
    const anchors = this.index.campaignDetails[campaign]!.anchors
    return anchors.length === 0 ? ANY_REQUEST : anchors
  }

  private listFor(term: number, offer: number): SortedList {
    let pair = term === 0 ? this.any : this.byTerm.get(term)
    if (pair === undefined) {
      pair = newPair()
      this.byTerm.set(term, pair)
    }
    return this.isCpc(offer) ? pair.cpc : pair.cpm
  }

  private dropIfEmpty(term: number): void {
    const pair = this.byTerm.get(term)
    if (pair !== undefined && pair.cpm.count === 0 && pair.cpc.count === 0) this.byTerm.delete(term)
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
