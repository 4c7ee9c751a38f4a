import {
  decide,
  decidePage,
  type Decision,
  findPlacement,
  type Placement,
  seededDraws,
} from '@placard/decision-engine'
import { packLimits } from './asked.ts'
import type { SiteContent } from '../catalogue/content.ts'
import type { Publisher } from '../readers/publishers.ts'
import type { DecisionRecord } from '../records/recorder.ts'
import {
  mapMaybe,
  type AdRequest,
  contextOf,
  decideHeld,
  type ServeDeps,
  type MaybePromise,
  openRequest,
  type RequestState,
} from './ad-request.ts'
import type { Reserved } from './request-holds.ts'

/** One decision with everything that its answer, record and tracking links need. */
export interface Served {
  readonly record: DecisionRecord
  /** The banners in order, each with the money and the impression held for it. */
  readonly showings: readonly Reserved[]
  /** The page of the request. Travels in the tracking links. */
  readonly pageKey?: string | undefined
  /** The reader's device session, if the publisher's server named it. Not recorded. */
  readonly deviceSessionId?: string | undefined
}

export interface AuctionRequest extends AdRequest {
  readonly placementType: string
  /** Replaces "a placement of the type". */
  readonly placement?: Placement | undefined
  /** Whose placements a request by type stands for. */
  readonly publisher?: Publisher | undefined
  readonly floorMicros?: number | undefined
}

/** One ad for a placement, or for a placement of a type. */
export function serveAuction(deps: ServeDeps, adRequest: AuctionRequest): MaybePromise<Served> {
  const { placement, publisher, placementType, floorMicros } = adRequest
  const state = openRequest(deps, adRequest)
  const decided = decideHeld(state, (live) => {
    const request = {
      placementKey: placement?.key,
      placementType,
      publisherKey: publisher?.key,
      floorMicros,
      bannersMax: 1,
      nowMs: state.nowMs,
      userKnown: state.userKnown,
      context: state.context,
      limits: state.limits,
    }
    return [decide(deps.catalogue.index, request, { live, draws: seededDraws(state.seed) })]
  })
  return mapMaybe(decided, ([decision]) => {
    const placementKey = decision!.placementKey ?? placement?.key
    return conclude(state, {
      kind: 'auction',
      placementKey,
      placementType: placement?.type ?? placementType,
      siteKey: placement === undefined ? siteOf(deps, placementKey) : placement.siteKey,
      asked: placement === undefined ? { publisherKey: publisher?.key, floorMicros } : undefined,
      currency: publisher?.currency,
      seed: state.seed,
      decision: decision!,
    })
  })
}

const siteOf = ({ catalogue }: ServeDeps, placementKey: number | undefined) =>
  placementKey === undefined
    ? undefined
    : (catalogue.content.placements.get(placementKey)?.siteKey ?? undefined)

/** Placements of one publisher. */
export interface PlacementsRequest extends AdRequest {
  readonly placements: readonly Placement[]
}

/** All banners that fit into these placements, each placement decided on its own. */
export function servePlacements(
  deps: ServeDeps,
  adRequest: PlacementsRequest,
): MaybePromise<readonly Served[]> {
  const { placements } = adRequest
  const state = openRequest(deps, adRequest)
  const { nowMs, userKnown, limits } = state
  const decided = decideHeld(state, (live) =>
    placements.map(({ key }, at) =>
      decide(
        deps.catalogue.index,
        { placementKey: key, nowMs, userKnown, context: state.context, limits },
        { live, draws: seededDraws(state.seed + at) },
      ),
    ),
  )
  return mapMaybe(decided, (decisions) =>
    placements.map(({ key, type, siteKey }, at) =>
      conclude(state, {
        kind: 'slug',
        placementKey: key,
        placementType: type,
        siteKey,
        seed: state.seed + at,
        decision: decisions[at]!,
      }),
    ),
  )
}

export interface PageRequest extends AdRequest {
  readonly site: SiteContent
  readonly url?: string | undefined
  readonly slots: readonly SlotRequest[]
}

export interface SlotRequest {
  readonly slug: string
  readonly floorMicros?: number | undefined
  readonly bannersMax?: number | undefined
}

/** No key is negative: an unknown slot stays empty and says so. */
const NO_PLACEMENT = -1

/** Fills the slots of one page: no campaign and no banner twice, held back by the site's pacing. */
export function servePage(
  deps: ServeDeps,
  adRequest: PageRequest,
): MaybePromise<readonly Served[]> {
  const { site } = adRequest
  const { index } = deps.catalogue
  const state = openRequest(deps, adRequest)
  const pace = deps.sitePacing.arrive(site, state.nowMs, adRequest.reader.holder)
  state.fairness = { expectedShare: pace.expectedShare, seed: state.seed }
  const page = findPage(state, adRequest)
  state.context = contextOf(deps, { context: state.context, page })
  const pageKey = adRequest.url && deps.pages?.pageKeyOf(site.key, adRequest.url)
  const placements = adRequest.slots.map(({ slug }) => findPlacement(index, slug))
  const { nowMs, userKnown } = state
  const request = {
    siteKey: site.key,
    nowMs,
    userKnown,
    throttle: pace.isHeld ? 1 : 0,
    slots: adRequest.slots.map(({ floorMicros, bannersMax }, at) => ({
      placementKey: placements[at]?.key ?? NO_PLACEMENT,
      floorMicros,
      bannersMax,
      shortlist: page?.shortlistOf(placements[at]?.key ?? NO_PLACEMENT),
      limits: state.limits,
    })),
  }
  const decided = decideHeld(state, (live) => {
    const asked = { ...request, context: state.context }
    return decidePage(index, asked, { live, draws: seededDraws(state.seed) })
  })
  return mapMaybe(decided, (decisions) => {
    if (decisions[0]?.emptyReason !== 'site-paced') {
      deps.sitePacing.notePaid(site, worthOf(decisions))
    }
    return decisions.map((decision, at) =>
      conclude(state, {
        kind: 'page',
        placementKey: placements[at]?.key,
        placementType: placements[at]?.type ?? '',
        siteKey: site.key,
        pageKey,
        seed: state.seed,
        decision,
      }),
    )
  })
}

/** What the winners of a page are expected to pay, in micros. */
export function worthOf(decisions: readonly Decision[]): number {
  let micros = 0
  for (const { winners } of decisions) {
    for (const { pricing, chargeMicros, ctr } of winners) {
      micros += pricing === 'cpm' ? chargeMicros / 1_000 : chargeMicros * ctr
    }
  }
  return micros
}

const findPage = ({ deps, nowMs, seed }: RequestState, { site, url, isDry }: PageRequest) =>
  url === undefined
    ? undefined
    : deps.pages?.find({ siteKey: site.key, url, nowMs, isDry, draws: seededDraws(~seed) })

export interface Conclusion {
  readonly kind: DecisionRecord['kind']
  readonly placementKey: number | undefined
  readonly placementType: string
  readonly siteKey: number | undefined
  readonly pageKey?: string | undefined
  readonly asked?: DecisionRecord['asked']
  /** Of the publisher, where there is no placement. */
  readonly currency?: string | undefined
  readonly seed: number
  readonly decision: Decision
}

/** Makes the record of a decision, and what is held for its winners. */
export function conclude(state: RequestState, conclusion: Conclusion): Served {
  const { kind, placementKey, placementType, siteKey, seed, decision } = conclusion
  const { reader } = state.adRequest
  const record = {
    decisionId: state.deps.ids.next(),
    decidedAt: state.now,
    kind,
    placementKey,
    placementType,
    siteKey,
    // Without consent to measurement, caps hold for this decision and nothing tells who saw it.
    userKey: reader.permissions.mayMeasure ? reader.userKey : undefined,
    ...state.adRequest.matchKeys,
    currency: currencyOf(state, conclusion),
    context: state.context,
    asked:
      state.limits === undefined
        ? conclusion.asked
        : { limits: packLimits(state.limits), ...conclusion.asked },
    seed: seed >>> 0,
    decision,
    durationMicros: Math.round((performance.now() - state.startedMs) * 1_000),
  }
  const showings = decision.winners.map((winner) => state.live!.reservedFor(winner))
  const { deviceSessionId } = reader
  return { record, showings, pageKey: conclusion.pageKey, deviceSessionId }
}

/** An auction has the publisher's currency, also when nobody wins. */
const currencyOf = (
  { deps }: RequestState,
  { placementKey, currency }: Conclusion,
): string | undefined =>
  placementKey === undefined
    ? currency
    : deps.catalogue.content.placements.get(placementKey)?.currency
