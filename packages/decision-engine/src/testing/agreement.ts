import { applyChange } from '../changes/apply-change.ts'
import { createIndex, type DecisionIndex } from '../columns/catalogue.ts'
import { decide } from '../decide/decide.ts'
import type { Decision } from '../decide/decision.ts'
import { decidePage } from '../decide/decide-page.ts'
import { seededDraws } from '../decide/draws.ts'
import { explain } from '../explain/explain.ts'
import { finishLoad } from '../columns/membership.ts'
import { GATE_OF, type Reason, REASONS } from '../explain/reasons.ts'
import type { Change } from '../changes/records.ts'
import type { DecisionRequest, Ports, Winner } from '../decide/run.ts'
import { PlainCatalogue } from './plain-catalogue.ts'
import { type PlainLiveState, PlainLive } from './plain-live.ts'
import { denseAuction } from './random-auction.ts'
import { RandomWorld } from './random-world.ts'
import { scorerOfPlaces } from './scorer-of-places.ts'
import { auctioned, placementsOfType, referenceDecide, referencePage } from './reference-decide.ts'
import { type PlainWinner, type ReferenceCase, referenceVerdict } from './reference.ts'

export interface Outcome {
  readonly engine: unknown
  readonly reference: unknown
}

const indexWith = (splitAbove: number) => createIndex({ splitAbove, scorer: scorerOfPlaces })

/** Compares engine and reference on one random catalogue and request. */
export function compareOnce(seed: number, size: number): Outcome {
  const world = new RandomWorld(seed, size)
  const catalogue = new PlainCatalogue()
  const index = indexWith(world.int(8))
  for (const change of world.catalogue()) put(index, catalogue, change)
  finishLoad(index)
  return compareRequest(world, { catalogue, index, seed })
}

/** Compares them on one auction with many close and equal bids, where stopping early is hardest. */
export function compareAuction(seed: number, size: number): Outcome {
  const world = new RandomWorld(seed, size * 3)
  const catalogue = new PlainCatalogue()
  const index = indexWith(world.int(size * 4))
  for (const change of denseAuction(world)) put(index, catalogue, change)
  finishLoad(index)
  const state = world.live()
  const ports = () => ({ live: new PlainLive(state), draws: seededDraws(seed) })
  const asked = world.random(0.5) ? { placementKey: 1 } : BY_TYPE
  const request = { ...world.request(), placementKey: undefined, ...asked }
  return {
    engine: decidePlainly(index, request, ports()),
    reference: referenceDecide(catalogue, request, ports()),
  }
}

/** Compares them after changes in place. In half of the runs, rows also change while loading. */
export function compareAfterChanges(seed: number, size: number): Outcome {
  const world = new RandomWorld(seed, size)
  const catalogue = new PlainCatalogue()
  const index = indexWith(world.int(8))
  if (world.random(0.5)) finishLoad(index)
  for (const change of world.catalogue()) put(index, catalogue, change)
  finishLoad(index)
  for (let count = world.int(30); count > 0; count--) put(index, catalogue, world.change())
  return compareRequest(world, { catalogue, index, seed })
}

/** Compares an index changed in place with one built from the remaining rows. */
export function compareWithFresh(seed: number, size: number): Outcome {
  const world = new RandomWorld(seed, size)
  const catalogue = new PlainCatalogue()
  const index = indexWith(world.int(8))
  finishLoad(index)
  for (const change of world.catalogue()) put(index, catalogue, change)
  for (let count = world.int(60); count > 0; count--) put(index, catalogue, world.change())
  const fresh = indexWith(index.splitAbove)
  for (const change of catalogue.toChanges()) applyChange(fresh, change)
  finishLoad(fresh)
  const request = world.request()
  const state = world.live()
  const answer = (from: DecisionIndex) => {
    const ports = { live: new PlainLive(state), draws: seededDraws(seed) }
    const { indexVersion: _, ...decision } = decide(from, request, ports)
    return decision
  }
  return { engine: answer(index), reference: answer(fresh) }
}

function put(index: DecisionIndex, catalogue: PlainCatalogue, change: Change): void {
  applyChange(index, change)
  catalogue.apply(change)
}

interface Subject {
  readonly catalogue: PlainCatalogue
  readonly index: DecisionIndex
  readonly seed: number
}

function compareRequest(world: RandomWorld, { catalogue, index, seed }: Subject): Outcome {
  const state = world.live()
  const ports = () => ({ live: new PlainLive(state), draws: seededDraws(seed) })
  if (world.random(0.25)) {
    const request = world.page()
    const engine = decidePage(index, request, ports()).map(({ winners }) => winners.map(plain))
    return { engine, reference: referencePage(catalogue, request, ports()) }
  }
  const request = world.request()
  const engine = decidePlainly(index, request, ports())
  const explained = explain(index, request, ports())
  const onPage = explained.outcomes.filter(({ reason }) => ON_PAGE.has(reason))
  const stopped = referenceReasons(catalogue, request, state)
  for (const { candidate, kind } of onPage) if (kind === 'ad') delete stopped[candidate.key]
  return {
    engine: {
      winners: engine,
      explained: plainly(explained.decision, request),
      stopped: reasonsOf(explained.outcomes),
    },
    reference: {
      winners: referenceDecide(catalogue, request, ports()),
      explained: engine,
      stopped,
    },
  }
}

/** Reasons of the ads that a gate stopped before the auction. Targeting rules may fail in any order. */
function reasonsOf(outcomes: ReturnType<typeof explain>['outcomes']): Record<string, string> {
  const stopped = outcomes.filter(({ kind, reason }) => kind === 'ad' && !LATE.has(reason))
  return Object.fromEntries(
    stopped.map(({ candidate, reason }) => [candidate.key, grouped(reason)]),
  )
}

function referenceReasons(
  catalogue: PlainCatalogue,
  request: DecisionRequest,
  state: PlainLiveState,
): Record<string, string> {
  const furthest = new Map<number, Reason>()
  for (const placement of placementsAsked(catalogue, request)) {
    const situation: ReferenceCase = {
      catalogue,
      request: request.placementKey === undefined ? { ...request, shortlist: undefined } : request,
      placement,
      ports: { live: new PlainLive(state), draws: seededDraws(0) },
      shown: { campaigns: undefined, banners: [], labels: [] },
    }
    for (const candidate of auctioned(situation)) {
      const reason = referenceVerdict(situation, candidate)
      const known = furthest.get(candidate.key)
      if (known === undefined || rankOf(reason) > rankOf(known)) furthest.set(candidate.key, reason)
    }
  }
  const stopped = [...furthest].filter(([, reason]) => !LATE.has(reason))
  return Object.fromEntries(stopped.map(([key, reason]) => [key, grouped(reason)]))
}

/** Reasons are in the order of the gates; one that passes comes furthest. */
const rankOf = (reason: Reason) => (reason === 'passed' ? Infinity : REASONS.indexOf(reason))

function placementsAsked(catalogue: PlainCatalogue, request: DecisionRequest) {
  if (request.placementKey === undefined) return placementsOfType(catalogue, request)
  const placement = catalogue.placements.get(request.placementKey)
  return placement?.active === true && placement.mode !== 'direct' ? [placement] : []
}

/** Reasons that only an earlier winner of the same request gives. */
const ON_PAGE: ReadonlySet<string> = new Set([
  'banner-on-page',
  'campaign-on-page',
  'label-on-page',
])

/** Reasons that a filled slot, a spent budget or another bid may change between slots. */
const LATE = new Set([
  'won',
  'passed',
  'outbid',
  'below-floor',
  'reservation-refused',
  ...ON_PAGE,
  'exhausted',
  'ahead-of-plan',
  'slots-full',
])

const grouped = (reason: string) =>
  GATE_OF.get(reason as Reason) === 'targeting' ? 'targeting' : reason

/** What the placements of `denseAuction` have in common. */
const BY_TYPE = { placementType: 'feed', publisherKey: 1 }

const decidePlainly = (index: DecisionIndex, request: DecisionRequest, ports: Ports) =>
  plainly(decide(index, request, ports), request)

/** By type the placement is part of the answer. */
const plainly = (decision: Decision, { placementKey }: DecisionRequest): PlainWinner[] =>
  decision.winners.map((winner) =>
    placementKey === undefined
      ? { ...plain(winner), placementKey: decision.placementKey! }
      : plain(winner),
  )

const plain = (winner: Winner): PlainWinner => ({
  source: winner.source,
  key: winner.key,
  bannerKey: winner.bannerKey,
  campaignKey: winner.campaignKey,
  chargeMicros: winner.chargeMicros,
  finalPriceMicros: winner.finalPriceMicros,
  score: winner.score,
  secondScore: winner.secondScore,
})
