import { type DecisionIndex, KIND, NONE, OFFER_COLD, STATE } from '../columns/catalogue.ts'
import { compareBookings } from '../columns/booking-order.ts'
import { linkedCampaigns } from '../columns/membership.ts'
import { measure, type Measure } from '../columns/measure.ts'
import { offersOfCampaign } from '../columns/offer-rows.ts'
import { PASSED, REASONS, type Reason } from './reasons.ts'
import type { Run, Winner } from '../decide/run.ts'
import { bookedWinner } from '../decide/winner.ts'

/** What became of one candidate. */
export interface Fate {
  readonly offer: Pick<
    Winner,
    'key' | 'bannerKey' | 'campaignKey' | 'effectiveBidMicros' | 'quality'
  >
  readonly kind: 'ad' | 'assignment' | 'banner'
  reason: Reason | 'won'
  score: number | undefined
  /** By how much it missed. */
  measure: Measure | undefined
}

const FATES_MAX = 10_000

/**
 * Collects every candidate's fate while the ordinary code decides. With a trace the auction looks at
 * all candidates of the placement instead of stopping early, and asks the catalogue's gates again;
 * everything else is the normal path. Counts are exact while nothing is dropped: they count fates.
 */
export class Trace {
  readonly fates = new Map<number, Fate>()
  /** Offers that got no fate because there were too many. */
  dropped = 0
  private readonly alsoAd: number | undefined

  /** `alsoAd` is examined even where nothing links it to the placement. */
  constructor(options: { readonly alsoAd?: number | undefined } = {}) {
    this.alsoAd = options.alsoAd
  }

  /** All ads of the campaigns linked to the placement, or to any placement of the type. */
  candidates(run: Run): number[] {
    const { index, placement } = run
    const homes =
      placement === undefined
        ? index.placements.filter(
            ({ record }) => record?.active && record.type === run.placementType,
          )
        : [placement]
    const campaigns = new Set<number>(homes.flatMap((home) => [...linkedCampaigns(index, home)]))
    const offers = new Set<number>()
    for (const campaign of campaigns) {
      for (const offer of offersOfCampaign(index, campaign)) {
        if (kindAt(index, offer) === KIND.ad) offers.add(offer)
      }
    }
    const also = this.alsoAd === undefined ? undefined : index.adSlots.get(this.alsoAd)
    if (also !== undefined && placement !== undefined) offers.add(also)
    return [...offers]
  }

  /** All assignments of the placement in the order of bookings. */
  bookings(run: Run): number[] {
    const { index, placement } = run
    return [...(placement?.assigned ?? [])].toSorted((a, b) => compareBookings(index, a, b))
  }

  note(run: Run, offer: number, code: number): void {
    const fate = this.fateOf(run, offer)
    // A later slot of the same decision may stop it elsewhere: the first gate is the answer.
    if (fate === undefined || (fate.reason !== 'passed' && fate.reason !== 'outbid')) return
    fate.reason = REASONS[code]!
    fate.measure = code === PASSED ? undefined : measure(run, offer, fate.reason)
  }

  noteScore(run: Run, offer: number, score: number): void {
    const fate = this.fateOf(run, offer)
    if (fate === undefined || fate.reason !== 'passed') return
    fate.score = score
    fate.reason = 'outbid'
  }

  won(offer: number): void {
    const fate = this.fates.get(offer)
    if (fate === undefined) return
    fate.reason = 'won'
    fate.measure = undefined
  }

  /** How many candidates each reason stopped. */
  counts(): Partial<Record<Reason | 'won', number>> {
    const counts: Partial<Record<Reason | 'won', number>> = {}
    for (const { reason } of this.fates.values()) counts[reason] = (counts[reason] ?? 0) + 1
    return counts
  }

  findAd(index: DecisionIndex, adKey: number): Fate | undefined {
    const offer = index.adSlots.get(adKey) ?? NONE
    return this.fates.get(offer)
  }

  private fateOf(run: Run, offer: number): Fate | undefined {
    const known = this.fates.get(offer)
    if (known !== undefined) return known
    if (this.fates.size >= FATES_MAX) {
      this.dropped++
      return undefined
    }
    const kind = kindAt(run.index, offer)
    const fate: Fate = {
      offer: bookedWinner(run, offer, 'booking'),
      kind: FATE_KINDS[kind]!,
      reason: 'passed',
      score: undefined,
      measure: undefined,
    }
    this.fates.set(offer, fate)
    return fate
  }
}

const FATE_KINDS = ['ad', 'assignment', 'banner'] as const

const kindAt = (index: DecisionIndex, offer: number) =>
  index.offersCold.i32[offer * OFFER_COLD.lanes * 2 + OFFER_COLD.state]! & STATE.kind
