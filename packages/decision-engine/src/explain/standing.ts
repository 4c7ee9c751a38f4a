import { KIND } from '../columns/candidate-rows.ts'
import { candidatesOfCampaign } from '../columns/candidates.ts'
import type { DecisionIndex, PlacementDetail } from '../columns/catalogue.ts'
import { ACTIVE_JUDGES } from '../columns/membership.ts'
import { seededDraws } from '../decide/draws.ts'
import { readerObstacles, standingObstacles } from '../decide/gates.ts'
import { cpmOf } from '../decide/price.ts'
import { type LiveState, Run } from '../decide/run.ts'
import { predictCtr } from '../decide/scorer.ts'
import type { Context } from '../decide/targeting.ts'
import { PASSED, REASONS, type Reason } from './reasons.ts'

/** An ad on one of its placements, or a booking on its own. */
export interface Standing {
  readonly candidate: number
  readonly kind: 'ad' | 'assignment'
  readonly key: number
  readonly bannerKey: number
  /** Undefined: the campaign is booked on no placement. */
  readonly placementKey: number | undefined
  /** What stops it whoever the reader is, in the order of the gates. */
  readonly obstacles: readonly Reason[]
  readonly effectiveBidMicros: number
}

interface Moment {
  readonly nowMs: number
  readonly live: LiveState
}

/** Where a campaign's ads and bookings stand before any reader comes. */
export function standingsOf(index: DecisionIndex, campaignKey: number, moment: Moment): Standing[] {
  const campaign = index.campaignRows.get(campaignKey)
  if (campaign === undefined) return []
  const rows = index.campaignDetails[campaign]!.placements
  const runs = new Map(
    rows.map((row) => [row, runOn(index, index.placements[row]!, { ...moment, context: {} })]),
  )
  return candidatesOfCampaign(index, campaign).flatMap((candidate): Standing[] => {
    const isAd = index.candidates.kind(candidate) === KIND.ad
    const own = isAd ? rows : [index.candidates.placement(candidate)].filter((row) => runs.has(row))
    if (own.length === 0) return isAd ? [standing(index, candidate, undefined)] : []
    return own.map((row) => standing(index, candidate, runs.get(row)))
  })
}

function standing(index: DecisionIndex, candidate: number, run: Run | undefined): Standing {
  const { candidates } = index
  const codes =
    run === undefined
      ? ACTIVE_JUDGES.map((judge) => judge(index, candidate)).filter((code) => code !== PASSED)
      : standingObstacles(run, candidate)
  return {
    candidate,
    kind: candidates.kind(candidate) === KIND.ad ? 'ad' : 'assignment',
    key: candidates.key(candidate),
    bannerKey: index.banners.key(candidates.banner(candidate)),
    placementKey: run?.placement.record?.key,
    obstacles: codes.map((code) => REASONS[code]!),
    effectiveBidMicros: candidates.effectiveBid(candidate),
  }
}

interface Situation extends Moment {
  readonly context: Context
  readonly floorMicros?: number | undefined
  readonly userKnown?: boolean | undefined
}

function runOn(index: DecisionIndex, placement: PlacementDetail, situation: Situation): Run {
  const { live, nowMs, context, floorMicros, userKnown = false } = situation
  const request = { placementKey: placement.record?.key, nowMs, context, floorMicros, userKnown }
  return new Run(index, request, { placement, ports: { live, draws: NO_DRAWS } })
}

const NO_DRAWS = seededDraws(0)

/** A request that was answered, and with what. */
export interface PastRequest {
  readonly placementKey: number
  readonly atMs: number
  readonly context: Context
  readonly floorMicros: number
  readonly winners: readonly PastWinner[]
  /** Frequency caps apply to known readers only. */
  readonly userKnown: boolean
}

interface PastWinner {
  readonly source: string
  readonly key: number
  readonly campaignKey: number | undefined
  readonly score: number
}

/** What would have become of a candidate on some requests of the past. */
export interface Replay {
  requests: number
  /** Requests whose reader each reason keeps out. One request may count for several. */
  readonly keptOut: Map<Reason, number>
  /** Requests whose reader it is meant for. */
  admitted: number
  /** A reader whom it is meant for. */
  example: Context | undefined
  /** It was shown, or would have been. */
  won: number
  readonly lost: Map<LostReason, number>
  /** For each request that others won: the effective bid it would have taken. */
  readonly bidsNeeded: number[]
}

export type LostReason = 'below-floor' | 'outbid' | 'slots-full'

export const emptyReplay = (): Replay => ({
  requests: 0,
  keptOut: new Map(),
  admitted: 0,
  example: undefined,
  won: 0,
  lost: new Map(),
  bidsNeeded: [],
})

/** Adds one request to the replays of candidates on its placement. */
export function replayRequest(
  index: DecisionIndex,
  request: PastRequest,
  { live, replays }: { readonly live: LiveState; readonly replays: ReadonlyMap<number, Replay> },
): void {
  const row = index.placementRows.get(request.placementKey)
  if (row === undefined) return
  const { atMs: nowMs, context, floorMicros, userKnown } = request
  const situation = { nowMs, live, context, floorMicros, userKnown }
  const run = runOn(index, index.placements[row]!, situation)
  for (const [candidate, replay] of replays) {
    replay.requests++
    const codes = readerObstacles(run, candidate)
    for (const code of codes) count(replay.keptOut, REASONS[code]!)
    if (codes.length > 0) continue
    replay.admitted++
    replay.example ??= context
    const lost = lostBy(run, candidate, { request, replay })
    if (lost === undefined) replay.won++
    else count(replay.lost, lost)
  }
}

interface Replaying {
  readonly request: PastRequest
  readonly replay: Replay
}

function lostBy(
  run: Run,
  candidate: number,
  { request: { winners }, replay }: Replaying,
): LostReason | undefined {
  const { candidates, campaigns } = run
  const isAd = candidates.kind(candidate) === KIND.ad
  const campaignKey = campaigns.key(candidates.campaign(candidate))
  if (winners.some((winner) => winner.campaignKey === campaignKey)) return undefined
  const cpm = isAd ? cpmOfCandidate(run, candidate) : Infinity
  if (cpm === 0 || cpm < run.floorMicros) {
    replay.bidsNeeded.push((run.bidOf(candidate) * run.floorMicros) / Math.max(1, cpm))
    return 'below-floor'
  }
  if (winners.length < (run.placement.record?.maxBanners ?? 1)) return undefined
  const beaten = isAd ? winners.filter(({ source }) => source === 'auction') : []
  if (beaten.length === 0) return 'slots-full'
  const toBeat = Math.min(...beaten.map(({ score }) => score))
  const score = run.scoreOf(candidate)
  if (score > toBeat) return undefined
  replay.bidsNeeded.push((run.bidOf(candidate) * toBeat) / score)
  return 'outbid'
}

const cpmOfCandidate = (run: Run, candidate: number): number =>
  cpmOf({
    isCpc: run.candidates.isCpc(candidate),
    effectiveBidMicros: run.bidOf(candidate),
    ctr: predictCtr(run.candidates.odds(candidate), run.context),
  })

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
