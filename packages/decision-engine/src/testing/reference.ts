import type { Reason } from '../explain/reasons.ts'
import type { Ad, Assignment, Banner, Campaign, Placement } from '../changes/records.ts'
import type { DecisionRequest, Ports, Winner } from '../decide/run.ts'
import { heuristicScorer } from '../decide/scorer.ts'
import type { PlainCatalogue } from './plain-catalogue.ts'
import { clickRateOn, conversionOddsOn } from './scorer-of-places.ts'
import { judgeBannerTime, ruleMatches, wallClock } from './reference-rules.ts'

/** A candidate: an ad, a booking or an evergreen banner. */
export interface PlainCandidate {
  readonly kind: 'ad' | 'assignment' | 'banner'
  readonly key: number
  readonly campaign: Campaign | undefined
  readonly banner: Banner | undefined
  readonly active: boolean
  readonly ad?: Ad
  readonly assignment?: Assignment
}

export interface ReferenceCase {
  readonly catalogue: PlainCatalogue
  readonly request: DecisionRequest
  readonly placement: Placement
  readonly ports: Ports
  readonly shown: {
    readonly campaigns: number[] | undefined
    readonly banners: number[]
    readonly labels: string[]
  }
}

type Verdict = Reason

/** Checks every gate in order, each as its rule is written. */
export function referenceVerdict(situation: ReferenceCase, candidate: PlainCandidate): Verdict {
  return (
    activeVerdict(situation, candidate) ??
    timeVerdict(situation, candidate) ??
    placementVerdict(situation, candidate) ??
    siteVerdict(situation, candidate) ??
    pageVerdict(situation, candidate) ??
    limitVerdict(situation, candidate) ??
    targetingVerdict(situation, candidate) ??
    frequencyVerdict(situation, candidate) ??
    spendVerdict(situation, candidate) ??
    'passed'
  )
}

function activeVerdict({ request }: ReferenceCase, candidate: PlainCandidate): Verdict | undefined {
  const { campaign, banner } = candidate
  if (candidate.kind !== 'banner' && campaign?.status !== 'active') return 'campaign-not-active'
  if (!candidate.active) return 'ad-not-active'
  if (banner?.active !== true) return 'banner-not-active'
  if (campaign?.impressionCapReached === true) return 'impression-cap-reached'
  if (campaign?.clickCapReached === true) return 'click-cap-reached'
  if (request.nowMs < (campaign?.startsAtMs ?? -Infinity)) return 'before-flight'
  return request.nowMs >= (campaign?.endsAtMs ?? Infinity) ? 'after-flight' : undefined
}

function timeVerdict({ request }: ReferenceCase, candidate: PlainCandidate): Verdict | undefined {
  const banner = candidate.banner!
  const { nowMs } = request
  const { scheduleStatus } = banner
  if (scheduleStatus === 'expired' || scheduleStatus === 'draft') return 'banner-expired'
  if (scheduleStatus !== 'evergreen') {
    const missing = scheduleStatus === 'scheduled' ? Infinity : -Infinity
    if (nowMs < (banner.publishAtMs ?? missing)) return 'before-publish'
    if (nowMs >= (banner.expiresAtMs ?? Infinity)) return 'banner-expired'
  }
  const verdict = judgeBannerTime(banner, nowMs)
  return verdict === 'passed' ? undefined : (verdict as Verdict)
}

function placementVerdict(
  situation: ReferenceCase,
  candidate: PlainCandidate,
): Verdict | undefined {
  const { placement, catalogue } = situation
  if (candidate.kind !== 'banner') {
    if (!catalogue.campaignPlacements.has(`${candidate.campaign!.key}-${placement.key}`))
      return 'not-linked'
    const wrong = candidate.kind === 'ad' ? 'direct' : 'auction'
    if (placement.mode === wrong) return 'other-mode'
  }
  const banner = candidate.banner!
  const house = candidate.kind === 'banner' ? banner.housePublisherKey : undefined
  if (house !== undefined && house !== placement.publisherKey) return 'other-publisher'
  if (misses(banner.sizes, placement.sizes)) return 'size'
  if (placement.formats !== undefined && !placement.formats.includes(banner.format)) return 'format'
  const currencies = [candidate.campaign?.currency, placement.currency]
  if (candidate.kind !== 'ad' || currencies.includes(undefined)) return undefined
  return currencies[0] === currencies[1] ? undefined : 'currency'
}

const misses = (own: readonly string[] | undefined, accepted: readonly string[] | undefined) =>
  own !== undefined &&
  accepted !== undefined &&
  own.length > 0 &&
  accepted.length > 0 &&
  !own.some((size) => accepted.includes(size))

function siteVerdict({ placement, catalogue }: ReferenceCase, candidate: PlainCandidate) {
  if (placement.siteKey === undefined) return undefined
  const { siteKey } = placement
  const banner = candidate.banner!
  const advertiserKey = candidate.campaign?.advertiserKey ?? banner.advertiserKey
  if (catalogue.advertiserBlocks.has(`${siteKey}-${advertiserKey}`)) return 'advertiser-blocked'
  for (const product of [banner.adProductCategory, candidate.campaign?.adProductCategory]) {
    if (catalogue.adProductBlocks.has(`${siteKey}-${product}`)) return 'ad-product-blocked'
  }
  if (catalogue.sites.get(siteKey)?.approvalRequired === false) return undefined
  return catalogue.approvals.has(`${siteKey}-${banner.key}`) ? undefined : 'not-approved'
}

function pageVerdict({ shown }: ReferenceCase, candidate: PlainCandidate): Verdict | undefined {
  if (
    candidate.campaign !== undefined &&
    shown.campaigns?.includes(candidate.campaign.key) === true
  ) {
    return 'campaign-on-page'
  }
  if (shown.banners.includes(candidate.banner!.key)) return 'banner-on-page'
  const labels = candidate.campaign?.exclusionLabels ?? []
  return labels.some((label) => shown.labels.includes(label)) ? 'label-on-page' : undefined
}

/** Checks the limits of the request as they are written. */
function limitVerdict(situation: ReferenceCase, candidate: PlainCandidate): Verdict | undefined {
  const { limits } = situation.request
  if (limits === undefined) return undefined
  const { campaign, kind } = candidate
  const banner = candidate.banner!
  const advertiserKey = campaign?.advertiserKey ?? banner.advertiserKey
  const products = [banner.adProductCategory, campaign?.adProductCategory]
  if (misses(banner.sizes, limits.sizes && [...limits.sizes])) return 'request-size'
  if (limits.formats?.has(banner.format) === false) return 'request-format'
  if (limits.blockedBanners?.has(banner.key) === true) return 'request-blocked'
  if (limits.blockedAdvertisers?.has(advertiserKey) === true) return 'request-blocked'
  if (products.some((name) => name !== undefined && limits.blockedAdProducts?.has(name)))
    return 'request-blocked'
  if (limits.campaigns?.has(campaign?.key ?? NaN) === false) return 'request-deal'
  const bid = bidOf(situation, candidate)
  if (limits.pricing !== undefined) {
    if (bid === 0 || (campaign?.pricing ?? 'cpm') !== limits.pricing) return 'request-pricing'
  }
  const floors = [limits.bookedFloorMicros ?? 0, limits.dealFloorsMicros?.get(campaign?.key ?? NaN)]
  if (kind !== 'ad' && floors.some((floor) => floor !== undefined && bid < floor))
    return 'request-floor'
  return limits.judgeBanner?.(banner.key)
}

function targetingVerdict(
  situation: ReferenceCase,
  candidate: PlainCandidate,
): Verdict | undefined {
  const { catalogue, request, placement } = situation
  if (candidate.campaign === undefined) return undefined
  const clock = wallClock(placement.timeZone, request.nowMs)
  const failed = [...catalogue.rules.values()]
    .filter((rule) => rule.campaignKey === candidate.campaign!.key && rule.active)
    .filter((rule) => !ruleMatches(rule, request.context, clock))
    .map((rule) => rule.type)
  if (failed.length > 0) return failed[0]
  const wanted = candidate.campaign.categories ?? []
  if (wanted.length === 0) return undefined
  const { categories } = request.context
  if (categories === undefined) {
    return candidate.campaign.runsOnUnknownPages === true ? undefined : 'category'
  }
  return wanted.some((name) => categories.includes(name)) ? undefined : 'category'
}

function frequencyVerdict(
  situation: ReferenceCase,
  candidate: PlainCandidate,
): Verdict | undefined {
  const { catalogue, request, ports } = situation
  if (!request.userKnown || candidate.campaign === undefined) return undefined
  const isOver = (scope: 'ad' | 'campaign' | 'advertiser', key: number) =>
    [...catalogue.caps.values()].some(
      (cap) =>
        cap.scope === scope &&
        cap.scopeKey === key &&
        ports.live.seen(scope, key, cap.window) >= cap.impressionsMax,
    )
  if (candidate.kind === 'ad' && isOver('ad', candidate.key)) return 'ad-frequency'
  if (isOver('campaign', candidate.campaign.key)) return 'campaign-frequency'
  return isOver('advertiser', candidate.campaign.advertiserKey) ? 'advertiser-frequency' : undefined
}

function spendVerdict(situation: ReferenceCase, candidate: PlainCandidate): Verdict | undefined {
  const { catalogue, ports } = situation
  if (candidate.campaign === undefined) return undefined
  const standing = catalogue.spendVerdicts.get(candidate.campaign.key) ?? 'may-spend'
  if (standing !== 'may-spend') return standing
  const cost = mostCost(situation, candidate)
  const verdict = cost === 0 ? 'may-spend' : ports.live.judgeSpend(candidate.campaign.key, cost)
  return verdict === 'may-spend' ? undefined : verdict
}

function mostCost(situation: ReferenceCase, candidate: PlainCandidate): number {
  const bid = bidOf(situation, candidate)
  return candidate.campaign?.pricing === 'cpc' ? bid : Math.ceil(bid / 1000)
}

export function bidOf(situation: ReferenceCase, { campaign, ad }: PlainCandidate): number {
  if (campaign === undefined) return 0
  if (ad === undefined) return campaign.rateMicros
  const max = campaign.bidMicrosMax ?? ad.bidMicros
  const limit = campaign.mayExceedMax ? max * 2 : max
  const learned = situation.catalogue.bidMultipliers.get(campaign.key)
  if (
    learned?.byTarget === true &&
    campaign.pricing === 'cpc' &&
    (campaign.targetMicros ?? 0) > 0
  ) {
    const target = campaign.targetMicros! * (learned.multiplier ?? campaign.bidMultiplier)
    return Math.min(limit, Math.floor(target * conversionRateOf(situation, ad)))
  }
  const own = learned?.byTarget === true ? undefined : learned?.multiplier
  return Math.min(Math.round(ad.bidMicros * (own ?? campaign.bidMultiplier)), limit)
}

/** sigmoid(ln odds of the ad + ln odds of the context). */
function conversionRateOf(situation: ReferenceCase, { key }: Ad): number {
  const { catalogue, placement, request } = situation
  const own = Math.min(100, Math.max(0.01, catalogue.conversionOdds.get(key) ?? 1))
  const odds = own * conversionOddsOn(placement, request.context)
  return odds / (1 + odds)
}

export interface ScoredCandidate {
  readonly candidate: PlainCandidate
  readonly bid: number
  readonly ctr: number
  readonly quality: number
  readonly score: number
}

export function scored(situation: ReferenceCase, candidate: PlainCandidate): ScoredCandidate {
  const { request, placement } = situation
  const context = clickRateOn(placement, request.context)
  const odds = Math.min(100, Math.max(0.01, candidate.ad?.ctrOdds ?? 1))
  const ctr = odds === 1 ? context : Math.min(0.5, predicted(odds, context))
  const quality = candidate.ad?.quality ?? heuristicScorer.quality(candidate.banner!.format)
  const bid = bidOf(situation, candidate)
  const isCpc = candidate.campaign!.pricing === 'cpc'
  const score = isCpc ? bid * quality * ctr : (bid * quality) / 1000
  return { candidate, bid, ctr, quality, score }
}

/** sigmoid(ln odds + logit context). */
function predicted(odds: number, context: number): number {
  const total = odds * (context / (1 - context))
  return total / (1 + total)
}

/** The fields on which engine and reference must agree. */
export type PlainWinner = Pick<
  Winner,
  'source' | 'key' | 'bannerKey' | 'campaignKey' | 'chargeMicros' | 'finalPriceMicros'
> & {
  readonly score: number
  readonly secondScore: number | undefined
  /** Of an auction by type. */
  readonly placementKey?: number
}
