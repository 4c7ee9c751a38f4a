import type { DecisionIndex, PlacementDetail } from '../columns/catalogue.ts'
import { KIND, NONE } from '../columns/candidate-rows.ts'
import { compareBookings } from '../columns/booking-order.ts'
import { campaignsOnPlacement } from '../columns/membership.ts'
import { shortfallOf, type Shortfall } from './shortfall.ts'
import { candidatesOfCampaign } from '../columns/candidates.ts'
import { CODE, PASSED, REASONS, type Reason } from './reasons.ts'
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
  /** By type: the placement for which it came furthest. */
  placementKey: number | undefined
}

/** What an explanation takes for granted, to see what would follow. */
export interface Assumption {
  /** Passes every gate but the page's. */
  readonly candidate: number
  /** Stands in for the placement with its key. */
  readonly placement: PlacementDetail
}

interface TraceOptions {
  readonly alsoAd?: number | undefined
  readonly assumption?: Assumption | undefined
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
  private readonly options: TraceOptions

  /** `alsoAd` is judged even if it is not booked on the placement. */
  constructor(options: TraceOptions = {}) {
    this.options = options
  }

  assumes({ placement }: Run, candidate: number): boolean {
    const { assumption } = this.options
    return assumption?.candidate === candidate && assumption.placement.row === placement.row
  }

  /** What stands in for the placement with this key. */
  assumedPlacement(key: number | undefined): PlacementDetail | undefined {
    const placement = this.options.assumption?.placement
    return key !== undefined && placement?.record?.key === key ? placement : undefined
  }

  /** All ads of the campaigns booked on the placement. */
  auctionCandidates(run: Run): number[] {
    const { index, placement } = run
    const candidates = new Set<number>()
    for (const campaign of campaignsOnPlacement(index, placement)) {
      for (const candidate of candidatesOfCampaign(index, campaign)) {
        if (kindAt(index, candidate) === KIND.ad) candidates.add(candidate)
      }
    }
    const { alsoAd } = this.options
    const also = alsoAd === undefined ? undefined : index.adRows.get(alsoAd)
    if (also !== undefined) candidates.add(also)
    return [...candidates]
  }

  /** All assignments of the placement, in the order of bookings. */
  bookings(run: Run): number[] {
    const { index, placement } = run
    return [...placement.assigned].toSorted((a, b) => compareBookings(index, a, b))
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

  won(candidate: number, placementKey?: number): void {
    const outcome = this.outcomes.get(candidate)
    if (outcome === undefined) return
    outcome.reason = 'won'
    outcome.shortfall = undefined
    outcome.placementKey = placementKey
  }

  /** For one placement of a request by type. */
  fork(): Trace {
    return new Trace(this.options)
  }

  /** Keeps of each candidate what became of it where it came furthest. */
  takeFurthest({ outcomes, dropped }: Trace, placementKey: number): void {
    this.dropped += dropped
    for (const [candidate, outcome] of outcomes) {
      const known = this.outcomes.get(candidate)
      if (known !== undefined && !isFurther(outcome, known)) continue
      if (known === undefined && this.outcomes.size >= OUTCOMES_MAX) this.dropped++
      else this.outcomes.set(candidate, { ...outcome, placementKey })
    }
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
      placementKey: undefined,
    }
    this.outcomes.set(candidate, outcome)
    return outcome
  }
}

/** Reasons are in the order of the gates. */
function isFurther(outcome: CandidateOutcome, known: CandidateOutcome): boolean {
  if (outcome.reason !== known.reason) return rankOf(outcome) > rankOf(known)
  return (outcome.score ?? 0) > (known.score ?? 0)
}

const rankOf = ({ reason }: CandidateOutcome) => (reason === 'won' ? Infinity : CODE[reason])

const OUTCOME_KINDS = ['ad', 'assignment', 'banner'] as const

const kindAt = (index: DecisionIndex, candidate: number) => index.candidates.kind(candidate)
