import {
  type Context,
  type DecisionIndex,
  type DecisionRequest,
  explain,
  type Explanation,
  type CandidateOutcome,
  type LiveState,
  type RequestLimits,
  seededDraws,
  type Winner,
} from '@placard/decision-engine'
import type { BudgetBook, SpendView } from '../../budgets/index.ts'
import { contextOf, type PageIndex } from '../serving/ad-request.ts'
import type { RecordedWinner } from '../records/record-line.ts'

/** A request to decide again, with the outcome of every candidate. */
export interface ExplainQuestion {
  readonly placementKey: number | undefined
  readonly placementType: string
  /** By type: whose placements it stands for. */
  readonly publisherKey?: number | undefined
  readonly decidedAt: Date
  readonly userKey: string | undefined
  readonly context: Context
  /** The page address, and the site that the placement is on. */
  readonly page?: { readonly siteKey: number; readonly url: string } | undefined
  readonly floorMicros: number | undefined
  readonly bannersMax: number | undefined
  readonly oncePerCampaign?: boolean | undefined
  /** Of a door's client; undefined for the native routes. */
  readonly limits?: RequestLimits | undefined
  readonly seed: number
  /** Also answer what this ad would need to win. */
  readonly adKey: number | undefined
}

export interface Explainer {
  explain(question: ExplainQuestion): Promise<Explanation>
}

export interface ExplainerDeps {
  readonly index: DecisionIndex
  readonly pages?: PageIndex | undefined
  /** The user's budgets and counts as they are now. `reserve` holds nothing. */
  liveOf(userKey: string | undefined): LiveState | Promise<LiveState>
}

/** Explains with the same code and on the same index that decide. */
export const createExplainer = ({ index, pages, liveOf }: ExplainerDeps): Explainer => ({
  async explain({ userKey, decidedAt, seed, adKey, page: asked, ...question }) {
    const nowMs = decidedAt.getTime()
    const { placementKey } = question
    const draws = seededDraws(~seed)
    const page = asked && pages?.find({ ...asked, nowMs, isDry: true, draws })
    const request: DecisionRequest = {
      ...question,
      context: contextOf({ pages }, { context: question.context, page }),
      nowMs,
      userKnown: userKey !== undefined,
      shortlist: placementKey === undefined ? undefined : page?.shortlistOf(placementKey),
    }
    return explain(index, request, {
      live: await liveOf(userKey),
      draws: seededDraws(seed),
      adKey,
    })
  },
})

/** What tells whether a campaign that does not run could spend. */
export interface BudgetFacts {
  readonly content: { readonly campaigns: ReadonlyMap<number, { readonly isActive: boolean }> }
  readonly budgets: Pick<BudgetBook, 'findCampaign'>
}

/** A campaign that does not run has leased nothing. Its limits say whether it could spend. */
export const liveForExplanation = (
  live: LiveState,
  { content, budgets }: BudgetFacts,
): LiveState => ({
  isFull: live.isFull,
  utilisation: (campaignKey) => live.utilisation(campaignKey),
  seen: (scope, key, window) => live.seen(scope, key, window),
  reserve: (winner) => live.reserve(winner),
  judgeSpend(campaignKey, costMicros) {
    const runs = content.campaigns.get(campaignKey)?.isActive !== false
    if (runs) return live.judgeSpend(campaignKey, costMicros)
    const view = budgets.findCampaign(campaignKey)
    const levels = [view?.campaignDay, view?.campaignLifetime, view?.advertiserDay]
    return levels.every((level) => fits(level, costMicros)) ? 'may-spend' : 'exhausted'
  },
})

const fits = (level: SpendView | undefined, costMicros: number): boolean =>
  level?.limitMicros === undefined ||
  level.spentMicros + level.heldMicros + costMicros <= level.limitMicros

export type OfferKind = CandidateOutcome['kind']

/** Keys that identify a candidate: an ad, an assignment or a banner, and its parents. */
export interface CandidateKeys {
  readonly kind: OfferKind
  readonly key: number
  readonly bannerKey: number
  readonly campaignKey: number | undefined
}

const KIND_OF_SOURCE: { readonly [S in Winner['source']]: OfferKind } = {
  auction: 'ad',
  booking: 'assignment',
  fallback: 'assignment',
  evergreen: 'banner',
}

export const keysOfWinner = (winner: RecordedWinner): CandidateKeys => ({
  kind: KIND_OF_SOURCE[winner.source],
  key: winner.key,
  bannerKey: winner.bannerKey,
  campaignKey: winner.campaignKey,
})

export const keysOfOutcome = ({ kind, candidate }: CandidateOutcome): CandidateKeys => ({
  kind,
  key: candidate.key,
  bannerKey: candidate.bannerKey,
  campaignKey: candidate.campaignKey,
})

export const idOfCandidate = ({ kind, key }: Pick<CandidateKeys, 'kind' | 'key'>) =>
  `${kind} ${key}`

/** Public id and name. A deleted row has no id any more. */
export interface Named {
  readonly id: string | null
  readonly name: string
}

export interface Names {
  readonly ads: ReadonlyMap<number, Named>
  readonly campaigns: ReadonlyMap<number, Named>
  readonly banners: ReadonlyMap<number, Named>
  /** Slugs. */
  readonly placements: ReadonlyMap<number, string>
  /** What the publisher of the placements sells in. */
  readonly currency: string | undefined
}

const GONE: Named = { id: null, name: 'deleted' }

export function candidateNames(names: Names, { kind, key, bannerKey, campaignKey }: CandidateKeys) {
  return {
    kind,
    ad: kind === 'ad' ? adName(names, key) : null,
    campaign: campaignKey === undefined ? null : (names.campaigns.get(campaignKey) ?? GONE),
    banner: names.banners.get(bannerKey) ?? GONE,
  }
}

export const placementName = (names: Names, key: number | undefined): string | null =>
  key === undefined ? null : (names.placements.get(key) ?? null)

export const adName = (names: Names, key: number): Named => names.ads.get(key) ?? GONE
