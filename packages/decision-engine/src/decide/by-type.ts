import { priced, RESERVATION_ATTEMPTS_MAX, weighBids, winsTie } from './auction.ts'
import { NONE } from '../columns/candidate-rows.ts'
import type { DecisionIndex, PlacementDetail } from '../columns/catalogue.ts'
import {
  compareBids,
  type Decision,
  KeptBid,
  keptBids,
  type ScoredBid,
  TOP_BIDS_MAX,
} from './decision.ts'
import { NO_SECOND } from './price.ts'
import { type DecisionRequest, type Ports, Run, type Winner } from './run.ts'
import { SCORED_KEPT_MAX } from './list-merge.ts'
import { CODE } from '../explain/reasons.ts'
import { reserve } from './winner.ts'

/** With more placements of one type, the first made are asked: what a request costs needs a bound. */
export const PLACEMENTS_PER_TYPE_MAX = 500

/**
 * One auction among the ads of a publisher's placements of a type, for one banner. An ad competes
 * through a placement for which it passes every gate, under that placement's floor. Where several
 * would do, through the one where it scores most, then the one with the lowest floor.
 */
export function decideByType(
  index: DecisionIndex,
  request: DecisionRequest,
  ports: Ports,
): Decision {
  const auction = new TypeAuction(index, request, ports)
  const { live, trace } = ports
  for (let attempt = 0; attempt < RESERVATION_ATTEMPTS_MAX; attempt++) {
    const best = auction.findBest()
    if (best === undefined) break
    const { run, candidate } = best
    const winner = priced(run)
    if (reserve(run, candidate, winner)) {
      trace?.won(candidate, run.placement.record!.key)
      return auction.conclude(winner, run)
    }
    trace?.note(run, candidate, CODE['reservation-refused'])
    if (live.isFull) break
  }
  return auction.conclude()
}

/** An ad's bid through one placement. */
interface PlacedBid {
  readonly run: Run
  readonly candidate: number
  readonly score: number
}

/** The best bids of two ads. */
class BestTwo {
  best: PlacedBid | undefined
  second: PlacedBid | undefined

  enter(bid: PlacedBid): void {
    const { best, second } = this
    if (bid.candidate === best?.candidate) {
      if (isBetterPlaced(bid, best)) this.best = bid
    } else if (best === undefined || beats(bid, best)) {
      this.second = best
      this.best = bid
    } else if (second === undefined || bid.score > second.score) this.second = bid
  }
}

/** The same ad through another placement. */
const isBetterPlaced = (bid: PlacedBid, other: PlacedBid) =>
  bid.score === other.score ? bid.run.floorMicros < other.run.floorMicros : bid.score > other.score

const beats = (bid: PlacedBid, other: PlacedBid) =>
  bid.score === other.score
    ? winsTie(bid.run, bid.candidate, other.candidate)
    : bid.score > other.score

class TypeAuction {
  private readonly index: DecisionIndex
  private readonly request: DecisionRequest
  private readonly ports: Ports
  private readonly placements: readonly PlacementDetail[]
  private readonly refused: number[] = []
  /** The best bid of each ad, as far as they are kept. */
  private readonly bids = new Map<number, ScoredBid>()
  private bidsNotKept = 0
  private floorMicrosMin = Infinity

  constructor(index: DecisionIndex, request: DecisionRequest, ports: Ports) {
    this.index = index
    this.request = request
    this.ports = ports
    const { publisherKey, placementType: type = '' } = request
    const all = index.placementsByType.find({ publisherKey, type })
    const open = all.filter(hasCandidates).slice(0, PLACEMENTS_PER_TYPE_MAX)
    const closed = all.filter((placement) => !hasCandidates(placement))
    const { trace } = ports
    this.placements =
      trace === undefined
        ? open
        : [...open, ...closed.slice(0, PLACEMENTS_PER_TYPE_MAX)].map(
            (placement) => trace.assumedPlacement(placement.record?.key) ?? placement,
          )
  }

  /** The bid that wins, its run ready for the price; undefined when there is none. */
  findBest(): PlacedBid | undefined {
    const bids = new BestTwo()
    for (const placement of this.placements) this.weigh(placement, bids)
    const { best, second } = bids
    if (best === undefined) return undefined
    const { run } = best
    run.best = best.candidate
    run.bestScore = best.score
    run.secondScore = second?.score ?? NO_SECOND
    return best
  }

  conclude(winner?: Winner, run?: Run): Decision {
    const { index, bids, request } = this
    const lowest = Math.max(index.reserveMicros, request.floorMicros ?? 0)
    return {
      winners: winner === undefined ? [] : [winner],
      placementKey: run?.placement.record!.key,
      emptyReason: winner === undefined ? 'no-candidate' : undefined,
      needsPlaceholder: winner === undefined,
      bidCount: bids.size + this.bidsNotKept,
      topBids: [...bids.values()].toSorted(compareBids).slice(0, TOP_BIDS_MAX),
      floorMicros:
        run?.floorMicros ?? (this.floorMicrosMin === Infinity ? lowest : this.floorMicrosMin),
      indexVersion: index.version,
    }
  }

  /** The two best bids of a placement say all that it can add to the two best of all. */
  private weigh(placement: PlacementDetail, bids: BestTwo): void {
    const { index, request, refused, ports } = this
    const trace = ports.trace?.fork()
    const run = new Run(index, request, { placement, ports: { ...ports, trace }, refused })
    if (run.floorMicros < this.floorMicrosMin) this.floorMicrosMin = run.floorMicros
    run.scoreMin = bids.second?.score ?? 0
    weighBids(run, placement.auctionLists)
    if (run.best !== NONE) bids.enter({ run, candidate: run.best, score: run.bestScore })
    if (run.second !== NONE) bids.enter({ run, candidate: run.second, score: run.secondScore })
    this.keepBids(run)
    if (trace !== undefined) ports.trace!.takeFurthest(trace, placement.record!.key)
  }

  private keepBids(run: Run): void {
    const kept = keptBids(run)
    for (let at = 0; at < kept; at++) {
      const bid = new KeptBid(run, at)
      const known = this.bids.get(bid.adKey)
      if (known === undefined || known.score < bid.score) this.bids.set(bid.adKey, bid)
    }
    this.bidsNotKept += Math.max(0, run.bidsScored - SCORED_KEPT_MAX)
  }
}

const hasCandidates = ({ auctionLists }: PlacementDetail) => auctionLists.count > 0
