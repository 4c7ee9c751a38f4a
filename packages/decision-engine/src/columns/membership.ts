import { type DecisionIndex, HOUSE, type PlacementDetail } from './catalogue.ts'
import { KIND, NONE } from './candidate-rows.ts'
import { BANNER_FLAG, CAMPAIGN_FLAG } from './tables.ts'
import { compareBookings, compareEvergreens, compareFallbacks } from './booking-order.ts'
import { CODE, PASSED } from '../explain/reasons.ts'
import type { AuctionLists } from './auction-lists.ts'

/**
 * The catalogue alone decides which lists a candidate is in. Conditions that depend on neither request
 * nor time (status, booking, size, format, blocklists, approval) are checked here when a row changes,
 * so decisions meet fewer candidates. A change removes its candidates from the lists, changes the rows,
 * and lists the candidates again, even if the change throws.
 */
export function relist(
  index: DecisionIndex,
  candidates: Iterable<number>,
  change: () => void,
): void {
  const affected = [...candidates]
  if (!index.loading) for (const candidate of affected) unlist(index, candidate)
  try {
    change()
  } finally {
    if (!index.loading) for (const candidate of affected) list(index, candidate)
  }
}

/**
 * For a change of nothing but a candidate's base score, quality or odds, the most frequent change by
 * people and by models. Only auctions depend on them. An ad stays in its lists, usually at its place.
 */
export function rerank(index: DecisionIndex, candidate: number, change: () => void): void {
  const scopes: AuctionLists[] = []
  if (index.candidates.isListed(candidate)) {
    visitLists(index, candidate, { scope: (scope) => scopes.push(scope), sorted: () => {} })
  }
  let rank = 0.5
  for (const scope of scopes) rank = scope.seek(candidate, rank)
  try {
    change()
  } finally {
    for (const scope of scopes) scope.reorder(candidate)
  }
}

export function list(index: DecisionIndex, candidate: number): void {
  visitLists(index, candidate, {
    scope: (scope) => scope.add(candidate),
    sorted: (rows, order) => insertSorted(rows, candidate, order),
  })
  index.candidates.setListed(candidate, true)
}

export function unlist(index: DecisionIndex, candidate: number): void {
  if (!index.candidates.isListed(candidate)) return
  visitLists(index, candidate, {
    scope: (scope) => scope.remove(candidate),
    sorted: (rows) => rows.splice(rows.indexOf(candidate), 1),
  })
  index.candidates.setListed(candidate, false)
}

/** Ends loading: lists every candidate and sorts every list once. */
export function finishLoad(index: DecisionIndex): void {
  if (!index.loading) return
  index.loading = false
  const scopes = new Set<AuctionLists>()
  for (const candidate of allCandidates(index)) {
    visitLists(index, candidate, {
      scope: (scope) => {
        scope.load(candidate)
        scopes.add(scope)
      },
      sorted: (rows, order) => insertSorted(rows, candidate, order),
    })
    index.candidates.setListed(candidate, true)
  }
  for (const scope of scopes) scope.build()
}

function* allCandidates(index: DecisionIndex): Iterable<number> {
  yield* index.adRows.values()
  yield* index.assignmentRows.values()
  for (const banner of index.bannerRows.values()) {
    const evergreen = index.banners.evergreenCandidate(banner)
    if (evergreen !== NONE) yield evergreen
  }
}

type CandidateOrder = (index: DecisionIndex, a: number, b: number) => number

interface ListVisitor {
  scope(lists: AuctionLists): unknown
  sorted(rows: number[], order: (a: number, b: number) => number): unknown
}

function visitLists(index: DecisionIndex, candidate: number, homes: ListVisitor): void {
  if (!canServe(index, candidate)) return
  const kind = index.candidates.kind(candidate)
  if (kind === KIND.ad) return visitAuctionLists(index, candidate, homes)

  const order = (compare: CandidateOrder) => (a: number, b: number) => compare(index, a, b)
  if (kind === KIND.evergreen) return void homes.sorted(index.evergreens, order(compareEvergreens))

  const placement = index.placements[index.candidates.placement(candidate)]!
  if (judgeFit(index, candidate, placement) !== PASSED) return
  const { isFallback } = index.assignments.get(candidate)!
  if (isFallback) homes.sorted(placement.fallbacks, order(compareFallbacks))
  else homes.sorted(placement.bookings, order(compareBookings))
}

function visitAuctionLists(index: DecisionIndex, candidate: number, homes: ListVisitor): void {
  for (const row of campaignOf(index, candidate).placements) {
    const placement = index.placements[row]!
    if (judgeFit(index, candidate, placement) === PASSED) homes.scope(placement.auctionLists)
  }
}

/** True if the candidate can serve on some request. */
function canServe(index: DecisionIndex, candidate: number): boolean {
  if (judgeActive(index, candidate) !== PASSED) return false
  return !isExpired(index, candidate) && judgeSpendVerdict(index, candidate) === PASSED
}

/** A condition that the catalogue alone decides, on a candidate. */
type ActiveJudge = (index: DecisionIndex, candidate: number) => number

const judgeCampaign: ActiveJudge = (index, candidate) =>
  isCampaignActive(index, candidate) ? PASSED : CODE['campaign-not-active']

const judgeAd: ActiveJudge = (index, candidate) =>
  index.candidates.isActive(candidate) ? PASSED : CODE['ad-not-active']

const judgeBanner: ActiveJudge = (index, candidate) =>
  (bannerFlags(index, candidate) & BANNER_FLAG.active) === 0 ? CODE['banner-not-active'] : PASSED

const judgeImpressionCap: ActiveJudge = (index, candidate) =>
  (campaignFlags(index, candidate) & CAMPAIGN_FLAG.impressionCapReached) === 0
    ? PASSED
    : CODE['impression-cap-reached']

const judgeClickCap: ActiveJudge = (index, candidate) =>
  (campaignFlags(index, candidate) & CAMPAIGN_FLAG.clickCapReached) === 0
    ? PASSED
    : CODE['click-cap-reached']

/** Each condition by itself, for an explanation that lists them all. */
export const ACTIVE_JUDGES: readonly ActiveJudge[] = [
  judgeCampaign,
  judgeAd,
  judgeBanner,
  judgeImpressionCap,
  judgeClickCap,
]

/** Campaign, ad and banner are active, and the campaign has not delivered all it booked. */
export const judgeActive: ActiveJudge = (index, candidate) =>
  judgeCampaign(index, candidate) ||
  judgeAd(index, candidate) ||
  judgeBanner(index, candidate) ||
  judgeImpressionCap(index, candidate) ||
  judgeClickCap(index, candidate)

export const isCampaignActive = (index: DecisionIndex, candidate: number): boolean =>
  (campaignFlags(index, candidate) & CAMPAIGN_FLAG.active) !== 0

export const isExpired = (index: DecisionIndex, candidate: number): boolean =>
  (bannerFlags(index, candidate) & BANNER_FLAG.expired) !== 0

/** The current verdict on the campaign's budget and plan. */
export function judgeSpendVerdict(index: DecisionIndex, candidate: number): number {
  const flags = campaignFlags(index, candidate)
  if ((flags & CAMPAIGN_FLAG.exhausted) !== 0) return CODE.exhausted
  return (flags & CAMPAIGN_FLAG.aheadOfPlan) === 0 ? PASSED : CODE['ahead-of-plan']
}

function campaignFlags(index: DecisionIndex, candidate: number): number {
  const campaign = index.candidates.campaign(candidate)
  return index.campaigns.flags(campaign)
}

function bannerFlags(index: DecisionIndex, candidate: number): number {
  const banner = index.candidates.banner(candidate)
  return index.banners.flags(banner)
}

/** A condition on a candidate and a placement. */
type FitJudge = (index: DecisionIndex, candidate: number, placement: PlacementDetail) => number

const judgePlacement: FitJudge = (_index, _candidate, { record }) =>
  record?.active === true ? PASSED : CODE['placement-not-active']

function judgeLink(index: DecisionIndex, candidate: number, placement: PlacementDetail): number {
  const kind = index.candidates.kind(candidate)
  if (kind === KIND.evergreen) return PASSED
  const { placements } = index.campaignDetails[index.candidates.campaign(candidate)]!
  if (!placements.includes(placement.row)) return CODE['not-linked']
  if (kind !== KIND.assignment) return PASSED
  return index.candidates.placement(candidate) === placement.row ? PASSED : CODE['not-linked']
}

function judgeMode(index: DecisionIndex, candidate: number, { record }: PlacementDetail): number {
  const kind = index.candidates.kind(candidate)
  if (kind === KIND.evergreen) return PASSED
  return record?.mode === (kind === KIND.ad ? 'direct' : 'auction') ? CODE['other-mode'] : PASSED
}

function judgeHouse(index: DecisionIndex, candidate: number, { record }: PlacementDetail): number {
  if (index.candidates.kind(candidate) !== KIND.evergreen) return PASSED
  const house = index.houses.get(index.candidates.banner(candidate))
  return house === undefined || house === record?.publisherKey ? PASSED : CODE['other-publisher']
}

function judgeSize(index: DecisionIndex, candidate: number, placement: PlacementDetail): number {
  const sizes = index.banners.sizes(index.candidates.banner(candidate))
  if (sizes === 0 || placement.sizes === 0 || sizes === placement.sizes) return PASSED
  const accepted = index.sizeSetMembers[placement.sizes]!
  return index.sizeSetMembers[sizes]!.some((size) => accepted.includes(size)) ? PASSED : CODE.size
}

function judgeFormat(index: DecisionIndex, candidate: number, placement: PlacementDetail): number {
  const format = index.banners.format(index.candidates.banner(candidate))
  return placement.formats === undefined || placement.formats.has(format) ? PASSED : CODE.format
}

function judgeCurrency(
  index: DecisionIndex,
  candidate: number,
  placement: PlacementDetail,
): number {
  if (index.candidates.kind(candidate) !== KIND.ad) return PASSED
  const currency = index.campaigns.currency(index.candidates.campaign(candidate))
  if (currency === 0 || placement.currency === 0) return PASSED
  return currency === placement.currency ? PASSED : CODE.currency
}

function judgeAdvertiser(
  index: DecisionIndex,
  candidate: number,
  placement: PlacementDetail,
): number {
  if (placement.record?.siteKey === undefined) return PASSED
  const campaign = index.candidates.campaign(candidate)
  const banner = index.candidates.banner(candidate)
  const advertiser =
    campaign === HOUSE ? index.banners.advertiser(banner) : index.campaigns.advertiser(campaign)
  const key = index.advertisers.key(advertiser)
  return placement.site!.blockedAdvertisers.has(key) ? CODE['advertiser-blocked'] : PASSED
}

function judgeProduct(index: DecisionIndex, candidate: number, placement: PlacementDetail): number {
  if (placement.record?.siteKey === undefined) return PASSED
  const { blockedAdProducts } = placement.site!
  const campaign = index.candidates.campaign(candidate)
  const product = index.banners.adProduct(index.candidates.banner(candidate))
  if (product !== 0 && blockedAdProducts.has(index.wordTexts[product]!)) {
    return CODE['ad-product-blocked']
  }
  const advertised = campaign === HOUSE ? undefined : index.campaignDetails[campaign]!.adProduct
  const isBlocked = advertised !== undefined && blockedAdProducts.has(advertised)
  return isBlocked ? CODE['ad-product-blocked'] : PASSED
}

function judgeApproval(
  index: DecisionIndex,
  candidate: number,
  { record, site }: PlacementDetail,
): number {
  if (record?.siteKey === undefined) return PASSED
  if (site!.present && !site!.approvalRequired) return PASSED
  const banner = index.candidates.banner(candidate)
  const approved = index.siteSetMembers[index.banners.approvedSites(banner)]!
  return approved.includes(record.siteKey) ? PASSED : CODE['not-approved']
}

/** The site's blocklists and its approval of the banner. */
export const judgeSite: FitJudge = (index, candidate, placement) =>
  judgeAdvertiser(index, candidate, placement) ||
  judgeProduct(index, candidate, placement) ||
  judgeApproval(index, candidate, placement)

/** Each condition by itself, for an explanation that lists them all. */
export const FIT_JUDGES: readonly FitJudge[] = [
  judgePlacement,
  judgeLink,
  judgeMode,
  judgeHouse,
  judgeSize,
  judgeFormat,
  judgeCurrency,
  judgeAdvertiser,
  judgeProduct,
  judgeApproval,
]

/** Checks placement, type, size, format and currency, then blocklists and approval. */
export const judgeFit: FitJudge = (index, candidate, placement) =>
  judgePlacement(index, candidate, placement) ||
  judgeLink(index, candidate, placement) ||
  judgeMode(index, candidate, placement) ||
  judgeHouse(index, candidate, placement) ||
  judgeSize(index, candidate, placement) ||
  judgeFormat(index, candidate, placement) ||
  judgeCurrency(index, candidate, placement) ||
  judgeSite(index, candidate, placement)

/** Scans all campaigns: placements change seldom, and a set for each would cost memory. */
export function* campaignsOnPlacement(
  index: DecisionIndex,
  placement: PlacementDetail,
): Generator<number> {
  for (const detail of index.campaignDetails) {
    if (detail?.placements.includes(placement.row) === true) yield detail.row
  }
}

const campaignOf = (index: DecisionIndex, candidate: number) =>
  index.campaignDetails[index.candidates.campaign(candidate)]!

function insertSorted(
  rows: number[],
  candidate: number,
  order: (a: number, b: number) => number,
): void {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (order(rows[middle]!, candidate) < 0) low = middle + 1
    else high = middle
  }
  rows.splice(low, 0, candidate)
}
