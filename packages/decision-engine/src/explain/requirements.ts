import type { DecisionIndex, PlacementDetail } from '../columns/catalogue.ts'
import { assumeBid } from '../columns/candidates.ts'
import { decide } from '../decide/decide.ts'
import { readerObstacles, standingObstacles } from '../decide/gates.ts'
import { costOf } from '../decide/price.ts'
import {
  type DecisionRequest,
  type Draws,
  type LiveState,
  type Ports,
  Run,
  type Winner,
} from '../decide/run.ts'
import { predictCtr } from '../decide/scorer.ts'
import { bookedWinner } from '../decide/winner.ts'
import { CODE, REASONS, type Reason } from './reasons.ts'
import { type CandidateOutcome, Trace } from './trace.ts'

/** What one ad would need to be shown. */
export interface WinRequirements {
  readonly adKey: number
  /** The placement it is about. Undefined where there is none. */
  readonly placementKey: number | undefined
  readonly isKnown: boolean
  readonly hasWon: boolean
  /** Everything that stops it, each reason once, in the order of the gates. */
  readonly obstacles: readonly Reason[]
  readonly score: number
  /** The score to beat for the last place it can get. Undefined: the floor is enough. */
  readonly scoreToBeat: number | undefined
  readonly effectiveBidMicros: number
  /** The lowest effective bid, in the ad's unit, that gets it a place once nothing stops it. */
  readonly effectiveBidMicrosNeeded: number
}

/** What an explanation has found out, and with which ports. */
interface Explaining {
  readonly adKey: number
  readonly live: LiveState
  readonly draws: RepeatedDraws
  readonly outcomes: ReadonlyMap<number, CandidateOutcome>
}

/** The same draws each time it begins again. */
export class RepeatedDraws implements Draws {
  private readonly drawn: number[] = []
  private readonly draws: Draws
  private at = 0

  constructor(draws: Draws) {
    this.draws = draws
  }

  beginAgain(): this {
    this.at = 0
    return this
  }

  next(): number {
    if (this.at === this.drawn.length) this.drawn.push(this.draws.next())
    return this.drawn[this.at++]!
  }
}

/**
 * Names what stops the ad, then decides again as if nothing did, with the bids that could get it a place:
 * bookings, other slots and the page are counted as in any decision.
 */
export function whatWouldWin(
  index: DecisionIndex,
  request: DecisionRequest,
  explaining: Explaining,
): WinRequirements {
  const { adKey, live, outcomes } = explaining
  const candidate = index.adRows.get(adKey)
  if (candidate === undefined) return unknownAd(adKey)
  const outcome = outcomes.get(candidate)
  const placement = placementFor(index, request, outcome)
  if (placement?.record === undefined) {
    return nowhere(adKey, index.candidates.effectiveBid(candidate))
  }

  const run = new Run(index, request, { placement, ports: { live, draws: explaining.draws } })
  // Before any other decision: the marks of the request are in the index.
  const codes = [...standingObstacles(run, candidate), ...readerObstacles(run, candidate)]
  const attempt = new Attempt(run, candidate, { request, explaining })
  const needed = attempt.lowestBid()
  const obstacles = [...codes.map((code) => REASONS[code]!), ...attempt.obstaclesAt(needed)]
  return {
    adKey,
    placementKey: placement.record.key,
    isKnown: true,
    hasWon: outcome?.reason === 'won',
    obstacles: [...new Set(obstacles)].toSorted((a, b) => CODE[a] - CODE[b]),
    score: run.scoreOf(candidate) * relevanceOf(request, adKey),
    scoreToBeat: needed.scoreToBeat,
    effectiveBidMicros: run.bidOf(candidate),
    effectiveBidMicrosNeeded: needed.micros,
  }
}

/** A bid that gets the ad a place, or with which it comes as far as any bid does. */
interface NeededBid {
  readonly micros: number
  readonly scoreToBeat: number | undefined
  /** What stops it even so: no bid can do anything about it. */
  readonly stoppedBy: CandidateOutcome['reason'] | undefined
}

interface Situation {
  readonly request: DecisionRequest
  readonly explaining: Explaining
}

/** Decisions on the assumption that nothing stops one ad on one placement. */
class Attempt {
  private readonly run: Run
  private readonly candidate: number
  private readonly situation: Situation

  constructor(run: Run, candidate: number, situation: Situation) {
    this.run = run
    this.candidate = candidate
    this.situation = situation
  }

  /** The floor, or just above the lowest winner that the ad can displace. */
  lowestBid(): NeededBid {
    const own = this.run.bidOf(this.candidate)
    const atFloor = this.decideAt(this.floorBid())
    const atOwn = this.decideAt(own)
    const rivals = [...new Set([...scoresToBeat(atFloor), ...scoresToBeat(atOwn)])]
    const bids = [
      { micros: this.floorBid(), scoreToBeat: undefined },
      ...rivals
        .toSorted((a, b) => a - b)
        .map((score) => ({ micros: this.bidAbove(score), scoreToBeat: score })),
    ]
    const enough = bids.find(({ micros }) => this.isShown(this.decideAt(micros)))
    if (enough === undefined) {
      const most = bids.at(-1)!
      return { ...most, stoppedBy: this.decideAt(most.micros).outcomes.get(this.candidate)?.reason }
    }
    const isEnough = this.isShown(atOwn) && own < enough.micros
    return { ...enough, ...(isEnough && { micros: own }), stoppedBy: undefined }
  }

  /** What would stop it with this bid: a full placement, its own twin, or a budget too small. */
  *obstaclesAt({ micros, stoppedBy }: NeededBid): Iterable<Reason> {
    if (stoppedBy !== undefined && stoppedBy !== 'won' && stoppedBy !== 'outbid') yield stoppedBy
    const { candidates, campaigns } = this.run
    const cost = costOf(candidates.isCpc(this.candidate), micros)
    const campaignKey = campaigns.key(candidates.campaign(this.candidate))
    const verdict = cost === 0 ? 'may-spend' : this.run.live.judgeSpend(campaignKey, cost)
    const winner = bookedWinner(this.run, this.candidate, 'auction')
    if (verdict !== 'may-spend') yield verdict
    else if (!this.run.live.reserve(winner)) yield 'reservation-refused'
  }

  private isShown({ outcomes }: Trace): boolean {
    return outcomes.get(this.candidate)?.reason === 'won'
  }

  private decideAt(micros: number): Trace {
    const { index } = this.run
    const { request, explaining } = this.situation
    const { adKey } = explaining
    const assumption = { candidate: this.candidate, placement: openPlacement(this.run.placement) }
    const trace = new Trace({ alsoAd: adKey, assumption })
    const ports: Ports = {
      live: holdingAnyway(explaining),
      draws: explaining.draws.beginAgain(),
      trace,
    }
    try {
      assumeBid(index, this.candidate, micros)
      decide(index, request, ports)
    } finally {
      assumeBid(index, this.candidate)
    }
    return trace
  }

  private floorBid(): number {
    const { floorMicros } = this.run
    const floor = this.isCpc ? Math.ceil(floorMicros / (1000 * this.ctr)) : floorMicros
    return Math.max(1, floor)
  }

  private bidAbove(score: number): number {
    const perMicro = this.scoreAt(UNIT_BID) / UNIT_BID
    const micros = Math.max(this.floorBid(), Math.floor(score / perMicro) + 1)
    // The division rounds: it may land on the score itself.
    return this.scoreAt(micros) > score ? micros : micros + 1
  }

  private scoreAt(micros: number): number {
    const { request, explaining } = this.situation
    try {
      assumeBid(this.run.index, this.candidate, micros)
      return this.run.scoreOf(this.candidate) * relevanceOf(request, explaining.adKey)
    } finally {
      assumeBid(this.run.index, this.candidate)
    }
  }

  private get isCpc(): boolean {
    return this.run.candidates.isCpc(this.candidate)
  }

  private get ctr(): number {
    return predictCtr(this.run.candidates.odds(this.candidate), this.run.context)
  }
}

/** A bid whose score is exact enough to divide by. */
const UNIT_BID = 1_000_000

/** What the auction's winners scored. Bookings have no score. */
const scoresToBeat = ({ outcomes }: Trace): number[] =>
  [...outcomes.values()].flatMap(({ reason, score }) =>
    reason === 'won' && score !== undefined ? [score] : [],
  )

/** The same placement, active and open to auctions. */
const openPlacement = (placement: PlacementDetail): PlacementDetail => {
  const record = placement.record!
  const mode = record.mode === 'direct' ? 'hybrid' : record.mode
  return { ...placement, record: { ...record, active: true, mode } }
}

/** Whatever is held for the others, this ad's money and impression can be held. */
const holdingAnyway = ({ live, adKey }: Explaining): LiveState => ({
  isFull: live.isFull,
  judgeSpend: (campaignKey, costMicros) => live.judgeSpend(campaignKey, costMicros),
  utilisation: (campaignKey) => live.utilisation(campaignKey),
  seen: (scope, key, window) => live.seen(scope, key, window),
  reserve: (winner) => isAd(winner, adKey) || live.reserve(winner),
})

const isAd = ({ source, key }: Winner, adKey: number) => source === 'auction' && key === adKey

function relevanceOf({ shortlist }: DecisionRequest, adKey: number): number {
  const place = shortlist?.adKeys.indexOf(adKey) ?? -1
  return place < 0 ? 1 : shortlist!.relevance[place]!
}

/** The placement that is asked; by type, the one for which the ad came furthest. */
function placementFor(
  index: DecisionIndex,
  { placementKey, publisherKey, placementType: type = '' }: DecisionRequest,
  outcome: CandidateOutcome | undefined,
): PlacementDetail | undefined {
  const key = placementKey ?? outcome?.placementKey
  if (key === undefined) return index.placementsByType.find({ publisherKey, type })[0]
  const row = index.placementRows.get(key)
  return row === undefined ? undefined : index.placements[row]
}

const unknownAd = (adKey: number): WinRequirements => ({
  adKey,
  placementKey: undefined,
  isKnown: false,
  hasWon: false,
  obstacles: [],
  score: 0,
  scoreToBeat: undefined,
  effectiveBidMicros: 0,
  effectiveBidMicrosNeeded: 0,
})

/** Nothing can win where there is no placement. */
const nowhere = (adKey: number, effectiveBidMicros: number): WinRequirements => ({
  ...unknownAd(adKey),
  isKnown: true,
  obstacles: ['placement-not-active'],
  effectiveBidMicros,
})
