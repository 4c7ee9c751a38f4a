import type { DecisionIndex } from '../columns/catalogue.ts'
import { KIND, NONE } from '../columns/candidate-rows.ts'
import { compareBookings } from '../columns/booking-order.ts'
import { campaignsOnPlacement } from '../columns/membership.ts'
import { shortfallOf, type Shortfall } from './shortfall.ts'
import { candidatesOfCampaign } from '../columns/candidates.ts'
import { PASSED, REASONS, type Reason } from './reasons.ts'
import type { Run, Winner } from '../decide/run.ts'
import { bookedWinner } from '../decide/winner.ts'

/** The outcome of one candidate. */
export interface CandidateOutcome {
  readonly candidate: Pick<
    Winner,
    'key' | 'bannerKey' | 'campaignKey' | 'effectiveBidMicros' | 'quality'
  >
  readonly kind: 'ad' | 'assignment' | 'banner'
  reason: Reason | 'won'
  score: number | undefined
  /** How far it missed. */
  shortfall: Shortfall | undefined
}

const OUTCOMES_MAX = 10_000

/**
 * Collects the outcome of every candidate while the normal code decides. With a trace, the auction
 * judges all candidates of the placement instead of stopping early, and checks the catalogue's gates
 * again. Counts are exact while nothing is dropped: they count outcomes.
 */
export class Trace {
  readonly outcomes = new Map<number, CandidateOutcome>()
  /** Number of candidates without an outcome, because there were too many. */
  dropped = 0
  private readonly alsoAd: number | undefined

  /** `alsoAd` is judged even if it is not booked on the placement. */
  constructor(options: { readonly alsoAd?: number | undefined } = {}) {
    this.alsoAd = options.alsoAd
  }

  /** All ads of the campaigns booked on the placement, or on any placement of the type. */
  auctionCandidates(run: Run): number[] {
    const { index, placement } = run
    const homes =
      placement === undefined
        ? index.placements.filter(
            ({ record }) => record?.active && record.type === run.placementType,
          )
        : [placement]
    const campaigns = new Set<number>(
      homes.flatMap((home) => [...campaignsOnPlacement(index, home)]),
    )
    const candidates = new Set<number>()
    for (const campaign of campaigns) {
      for (const candidate of candidatesOfCampaign(index, campaign)) {
        if (kindAt(index, candidate) === KIND.ad) candidates.add(candidate)
      }
    }
    const also = this.alsoAd === undefined ? undefined : index.adRows.get(this.alsoAd)
    if (also !== undefined && placement !== undefined) candidates.add(also)
    return [...candidates]
  }

  /** All assignments of the placement, in the order of bookings. */
  bookings(run: Run): number[] {
    const { index, placement } = run
    return [...(placement?.assigned ?? [])].toSorted((a, b) => compareBookings(index, a, b))
  }

  note(run: Run, candidate: number, code: number): void {
    const outcome = this.outcomeOf(run, candidate)
    // Another gate may stop it in a later slot of the same decision. The first one counts.
    if (outcome === undefined || (outcome.reason !== 'passed' && outcome.reason !== 'outbid'))
      return
    outcome.reason = REASONS[code]!
    outcome.shortfall = code === PASSED ? undefined : shortfallOf(run, candidate, outcome.reason)
  }

  noteScore(run: Run, candidate: number, score: number): void {
    const outcome = this.outcomeOf(run, candidate)
    if (outcome === undefined || outcome.reason !== 'passed') return
    outcome.score = score
    outcome.reason = 'outbid'
  }

  won(candidate: number): void {
    const outcome = this.outcomes.get(candidate)
    if (outcome === undefined) return
    outcome.reason = 'won'
    outcome.shortfall = undefined
  }

  /** Number of candidates by reason. */
  counts(): Partial<Record<Reason | 'won', number>> {
    const counts: Partial<Record<Reason | 'won', number>> = {}
    for (const { reason } of this.outcomes.values()) counts[reason] = (counts[reason] ?? 0) + 1
    return counts
  }

  findAd(index: DecisionIndex, adKey: number): CandidateOutcome | undefined {
    const candidate = index.adRows.get(adKey) ?? NONE
    return this.outcomes.get(candidate)
  }

  private outcomeOf(run: Run, candidate: number): CandidateOutcome | undefined {
    const known = this.outcomes.get(candidate)
    if (known !== undefined) return known
    if (this.outcomes.size >= OUTCOMES_MAX) {
      this.dropped++
      return undefined
    }
    const kind = kindAt(run.index, candidate)
    const outcome: CandidateOutcome = {
      candidate: bookedWinner(run, candidate, 'booking'),
      kind: OUTCOME_KINDS[kind]!,
      reason: 'passed',
      score: undefined,
      shortfall: undefined,
    }
    this.outcomes.set(candidate, outcome)
    return outcome
  }
}

const OUTCOME_KINDS = ['ad', 'assignment', 'banner'] as const

const kindAt = (index: DecisionIndex, candidate: number) => index.candidates.kind(candidate)
