import type { Explained, ExplainedRecord, ExplainRequest } from '@placard/contract/explain'
import type { Explanation } from '@placard/decision-engine'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { Problem } from '../../../platform/problem.ts'
import { adProblems } from '../../campaigns/index.ts'
import { placementProblems, publisherProblems } from '../../inventory/index.ts'
import {
  adName,
  type Explainer,
  type ExplainQuestion,
  keysOfOutcome,
  keysOfWinner,
  placementName,
  type CandidateKeys,
} from './explain.ts'
import { compareWithToday } from './compare.ts'
import { CANDIDATES_SHOWN, presentExplanation, presentWinner, units } from './present.ts'
import { decisionProblems } from '../problems.ts'
import type { RequestReaders } from '../readers/reader-of-request.ts'
import { unpackBids, unpackWinners } from '../records/record-line.ts'
import { firstSeenMsOf, type ServeDeps, withVisit } from '../serving/ad-request.ts'
import { unpackLimits } from '../serving/asked.ts'
import { findAuction, type RecordedAuction } from '../records/reads.ts'
import { findAdKey, findPlacementOfSlug, findPublisher, namesOf, siteKeyOf } from './reads-names.ts'

export interface ExplainDeps extends Pick<ServeDeps, 'visits' | 'newVisitorMs'> {
  readonly db: Database
  readonly clock: Clock
  readonly readers: Pick<RequestReaders, 'readerOf'>
  readonly explainer: Explainer
}

/** The caller is not the reader: only what the question says about the reader counts. */
const NO_REQUEST = { headers: {}, ip: '' }

/** Why a request is answered as it is, and what an ad would need to win it. */
export async function explainRequest(deps: ExplainDeps, asked: ExplainRequest): Promise<Explained> {
  const question = await questionOf(deps, asked)
  const explanation = await deps.explainer.explain(question)
  const names = await namesOf(deps.db, namedIn(question, explanation))
  return presentExplanation(question, explanation, names)
}

export async function questionOf(
  deps: ExplainDeps,
  asked: ExplainRequest,
): Promise<ExplainQuestion> {
  const placement = await placementOf(deps.db, asked.placement)
  const publisher =
    placement === undefined ? await publisherOf(deps.db, asked.publisher) : undefined
  const reader = deps.readers.readerOf(NO_REQUEST, {
    publisherKey: placement?.publisherKey ?? publisher?.accountKey,
    userId: asked.userId,
    context: asked.userContext,
    isTrusted: true,
  })
  const decidedAt = asked.at === undefined ? deps.clock.now() : new Date(asked.at)
  const moment = { context: reader.context, nowMs: decidedAt.getTime(), deps }
  return {
    placementKey: placement?.key,
    placementType: placement?.type ?? asked.placementType ?? 'feed',
    publisherKey: publisher?.key,
    decidedAt,
    userKey: reader.userKey,
    context: withVisit(moment, await firstSeenMsOf(deps, { reader, isDry: true })),
    page: pageOf(placement, asked.pageUrl),
    floorMicros: asked.floor === undefined ? undefined : Math.round(asked.floor * 1_000_000),
    bannersMax: undefined,
    seed: 0,
    adKey: await adKeyOf(deps.db, asked.adId),
  }
}

const pageOf = (placement: { siteKey: number | null } | undefined, url: string | undefined) =>
  placement?.siteKey == null || url === undefined ? undefined : { siteKey: placement.siteKey, url }

async function placementOf(db: Database, slug: string | undefined) {
  if (slug === undefined) return undefined
  const found = await findPlacementOfSlug(db, slug)
  if (found === undefined) throw new Problem(placementProblems.notFound, slug)
  return found
}

async function publisherOf(db: Database, publicId: string | undefined) {
  const found = await findPublisher(db, publicId)
  if (found === undefined && publicId !== undefined) {
    throw new Problem(publisherProblems.notFound, publicId)
  }
  return found
}

async function adKeyOf(db: Database, adId: string | undefined): Promise<number | undefined> {
  if (adId === undefined) return undefined
  const key = await findAdKey(db, adId)
  if (key === undefined) throw new Problem(adProblems.notFound, adId)
  return key
}

/** A recorded decision, and what today's catalogue would answer to the same request. */
export async function explainRecord(
  { db, explainer }: Omit<ExplainDeps, 'clock' | 'readers'>,
  decisionId: string,
): Promise<ExplainedRecord> {
  const record = await findAuction(db, decisionId)
  if (record === undefined) throw new Problem(decisionProblems.notFound, decisionId)

  const question = isByType(record)
    ? await typeQuestionAgain(db, record)
    : questionAgain(record, await siteKeyOf(db, record.placementId))
  const today = await explainer.explain(question)
  const then = {
    winners: unpackWinners(record.winners),
    bids: unpackBids(record.bids),
    floorMicros: Number(record.floorMicros),
    context: record.context,
    currency: record.currency,
  }
  const placementKey = record.placementId === null ? undefined : Number(record.placementId)
  const named = namedIn(question, today)
  const names = await namesOf(db, {
    candidates: [
      ...named.candidates,
      ...then.winners.map(keysOfWinner),
      ...then.bids.map(keysOfBid),
    ],
    placementKeys: [...named.placementKeys, ...(placementKey === undefined ? [] : [placementKey])],
  })
  const differences = compareWithToday(then, today, names)
  return {
    decisionId,
    kind: record.kind,
    recorded: {
      ...factsOf(record),
      placement: placementName(names, placementKey),
      winners: then.winners.map((winner) => presentWinner(winner, then, names)),
      bids: then.bids.map(({ adKey, campaignKey, score }) => ({
        ad: adName(names, adKey),
        campaign: names.campaigns.get(campaignKey) ?? null,
        score: units(score),
      })),
    },
    today: presentExplanation(question, today, names),
    differences,
    text: [
      'Decided again for the same reader and moment, on the catalogue, budgets and counts of today.',
      ...(differences.length === 0 ? ['The answer would be the same.'] : []),
      ...differences.map(({ text }) => text),
    ],
  }
}

/** Keeps the recorded time, so that only catalogue changes show as differences. */
const questionAgain = (record: RecordedAuction, siteKey: number | undefined): ExplainQuestion => ({
  page: pageOf({ siteKey: siteKey ?? null }, record.context.page),
  placementKey: record.placementId === null ? undefined : Number(record.placementId),
  placementType: record.placementType,
  decidedAt: record.auctionTime,
  userKey: record.userKey ?? undefined,
  context: record.context,
  floorMicros: Number(record.floorMicros),
  bannersMax: record.kind === 'auction' ? 1 : record.asked?.bannersMax,
  oncePerCampaign: record.asked?.oncePerCampaign,
  limits: record.asked?.limits && unpackLimits(record.asked.limits),
  seed: Number(record.seed),
  adKey: undefined,
})

/** It named no placement, also where its answer does. */
const isByType = ({ kind, placementId, asked }: RecordedAuction): boolean =>
  kind === 'auction' && (placementId === null || asked !== null)

/** By type each placement has its own floor: only what the request itself said is asked again. */
async function typeQuestionAgain(db: Database, record: RecordedAuction): Promise<ExplainQuestion> {
  const { asked } = record
  return {
    ...questionAgain(record, undefined),
    placementKey: undefined,
    publisherKey: asked?.publisherKey ?? (await findPublisher(db, undefined))?.key,
    floorMicros: asked?.floorMicros,
  }
}

const factsOf = (record: RecordedAuction) => ({
  decidedAt: record.auctionTime.toISOString(),
  placementType: record.placementType,
  context: { ...record.context },
  isUserKnown: record.userKey !== null,
  currency: record.currency,
  floorMicros: String(record.floorMicros),
  indexVersion: record.indexVersion,
  seed: record.seed,
  emptyReason: record.emptyReason,
  bidCount: record.bidCount,
  durationMicros: record.durationMicros,
})

/** Only what the answer shows needs names. */
function namedIn(question: ExplainQuestion, { outcomes, decision, requirements }: Explanation) {
  const shown = outcomes.slice(0, CANDIDATES_SHOWN)
  const placementKeys = [question, decision, ...shown, requirements].flatMap(
    (about) => about?.placementKey ?? [],
  )
  const candidates: CandidateKeys[] = [
    ...shown.map(keysOfOutcome),
    ...decision.winners.map(keysOfWinner),
    ...(requirements === undefined
      ? []
      : [{ kind: 'ad' as const, key: requirements.adKey, ...NO_PARENTS }]),
  ]
  return { candidates, placementKeys }
}

const keysOfBid = (bid: { adKey: number; campaignKey: number }): CandidateKeys => ({
  kind: 'ad',
  key: bid.adKey,
  bannerKey: NO_PARENTS.bannerKey,
  campaignKey: bid.campaignKey,
})

/** No row has this key. */
const NO_PARENTS = { bannerKey: 0, campaignKey: undefined }
