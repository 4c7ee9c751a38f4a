import {
  advertiserKeyAt,
  BANNER,
  BANNER_FLAG,
  CAMPAIGN,
  CAMPAIGN_FLAG,
  type DecisionIndex,
  HOUSE,
  KIND,
  NONE,
  CANDIDATE,
  CANDIDATE_COLD,
  type PlacementDetail,
  STATE,
} from './catalogue.ts'
import { compareBookings, compareEvergreens, compareFallbacks } from './booking-order.ts'
import { CODE, PASSED } from '../explain/reasons.ts'
import { AuctionLists } from './auction-lists.ts'

/**
 * Which lists an candidate is in follows from the catalogue alone: whatever no request and no clock can
 * change (status, link, size, format, blocklists, approval) is decided here, when a row changes, so
 * that a decision meets only candidates with a chance. A change takes its candidates out of the lists,
 * changes the rows, and lists them again.
 */
export function relist(
  index: DecisionIndex,
  candidates: Iterable<number>,
  change: () => void,
): void {
  const affected = [...candidates]
  if (!index.loading) for (const candidate of affected) unlist(index, candidate)
  change()
  if (!index.loading) for (const candidate of affected) list(index, candidate)
}

/**
 * For a change of an candidate's worth, quality or odds and of nothing else: the commonest, by people and by
 * what learns. Auctions alone go by them; an ad stays in its lists, in most between the same two others.
 */
export function rerank(index: DecisionIndex, candidate: number, change: () => void): void {
  const scopes: AuctionLists[] = []
  if (isListed(index, candidate)) {
    visitLists(index, candidate, { scope: (scope) => scopes.push(scope), sorted: () => {} })
  }
  let rank = 0.5
  for (const scope of scopes) rank = scope.seek(candidate, rank)
  change()
  for (const scope of scopes) scope.settle(candidate)
}

export function list(index: DecisionIndex, candidate: number): void {
  visitLists(index, candidate, {
    scope: (scope) => scope.add(candidate),
    sorted: (rows, order) => insertSorted(rows, candidate, order),
  })
  setListed(index, candidate, true)
}

export function unlist(index: DecisionIndex, candidate: number): void {
  if (!isListed(index, candidate)) return
  visitLists(index, candidate, {
    scope: (scope) => scope.remove(candidate),
    sorted: (rows) => rows.splice(rows.indexOf(candidate), 1),
  })
  setListed(index, candidate, false)
}

/** Ends the loading state: every candidate is listed, every list sorted once. */
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
    setListed(index, candidate, true)
  }
  for (const scope of scopes) scope.build()
}

function* allCandidates(index: DecisionIndex): Iterable<number> {
  yield* index.adRows.values()
  yield* index.assignmentRows.values()
  const { banners } = index
  for (const row of index.bannerRows.values()) {
    const evergreen = banners.i32[row * BANNER.width * 2 + BANNER.evergreenCandidate]!
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
  const kind = kindOf(index, candidate)
  if (kind === KIND.ad) return visitAuctionLists(index, candidate, homes)

  const order = (compare: CandidateOrder) => (a: number, b: number) => compare(index, a, b)
  if (kind === KIND.evergreen) return void homes.sorted(index.evergreens, order(compareEvergreens))

  const cold = candidate * CANDIDATE_COLD.width * 2
  const placement = index.placements[index.candidatesCold.i32[cold + CANDIDATE_COLD.placement]!]!
  if (judgeFit(index, candidate, placement) !== PASSED) return
  const { isFallback } = index.assignments.get(candidate)!
  if (isFallback) homes.sorted(placement.fallbacks, order(compareFallbacks))
  else homes.sorted(placement.bookings, order(compareBookings))
}

function visitAuctionLists(index: DecisionIndex, candidate: number, homes: ListVisitor): void {
  const types: string[] = []
  for (const row of campaignOf(index, candidate).placements) {
    const placement = index.placements[row]!
    const type = placement.record?.active === true ? placement.record.type : undefined
    if (type !== undefined && !types.includes(type)) {
      types.push(type)
      homes.scope(auctionListsOfType(index, type))
    }
    if (judgeFit(index, candidate, placement) === PASSED) homes.scope(placement.auctionLists)
  }
}

/** Whether an candidate can serve anywhere, whatever the request. */
function canServe(index: DecisionIndex, candidate: number): boolean {
  if (judgeActive(index, candidate) !== PASSED) return false
  return !isExpired(index, candidate) && judgeSpendVerdict(index, candidate) === PASSED
}

/** Campaign, ad and banner are active, and the campaign has impressions and clicks to go. */
export function judgeActive(index: DecisionIndex, candidate: number): number {
  const flags = campaignFlags(index, candidate)
  if ((flags & CAMPAIGN_FLAG.active) === 0) return CODE['campaign-not-active']
  if ((index.candidatesCold.i32[stateAt(candidate)]! & STATE.active) === 0)
    return CODE['ad-not-active']
  if ((bannerFlags(index, candidate) & BANNER_FLAG.active) === 0) return CODE['banner-not-active']
  if ((flags & CAMPAIGN_FLAG.impressionCapReached) !== 0) return CODE['impression-cap-reached']
  return (flags & CAMPAIGN_FLAG.clickCapReached) === 0 ? PASSED : CODE['click-cap-reached']
}

export const isExpired = (index: DecisionIndex, candidate: number): boolean =>
  (bannerFlags(index, candidate) & BANNER_FLAG.expired) !== 0

/** The standing verdict on the campaign's budget and plan. */
export function judgeSpendVerdict(index: DecisionIndex, candidate: number): number {
  const flags = campaignFlags(index, candidate)
  if ((flags & CAMPAIGN_FLAG.exhausted) !== 0) return CODE.exhausted
  return (flags & CAMPAIGN_FLAG.aheadOfPlan) === 0 ? PASSED : CODE['ahead-of-plan']
}

function campaignFlags(index: DecisionIndex, candidate: number): number {
  const campaign = index.candidates.i32[candidate * CANDIDATE.width * 2 + CANDIDATE.campaign]!
  return index.campaigns.i32[campaign * CAMPAIGN.width * 2 + CAMPAIGN.flags]!
}

function bannerFlags(index: DecisionIndex, candidate: number): number {
  const banner = index.candidates.i32[candidate * CANDIDATE.width * 2 + CANDIDATE.banner]!
  return index.banners.i32[banner * BANNER.width * 2 + BANNER.flags]!
}

/** Placement, type, size, format, currency; then blocklists and approval. */
export function judgeFit(
  index: DecisionIndex,
  candidate: number,
  placement: PlacementDetail,
): number {
  const { record } = placement
  if (record === undefined || !record.active) return CODE['placement-not-active']
  const { i32 } = index.candidates
  const campaign = i32[candidate * CANDIDATE.width * 2 + CANDIDATE.campaign]!
  const kind = kindOf(index, candidate)
  if (kind !== KIND.evergreen) {
    const { placements } = index.campaignDetails[campaign]!
    if (!placements.includes(placement.row)) return CODE['not-linked']
    if (record.mode === (kind === KIND.ad ? 'direct' : 'auction')) return CODE['other-mode']
  }
  if (kind === KIND.assignment) {
    const own =
      index.candidatesCold.i32[candidate * CANDIDATE_COLD.width * 2 + CANDIDATE_COLD.placement]
    if (own !== placement.row) return CODE['not-linked']
  }
  const banner = i32[candidate * CANDIDATE.width * 2 + CANDIDATE.banner]!
  const shape = judgeShape(index, banner, placement)
  if (shape !== PASSED) return shape
  const currency = index.campaigns.i32[campaign * CAMPAIGN.width * 2 + CAMPAIGN.currency]!
  if (kind === KIND.ad && currency !== 0 && placement.currency !== 0) {
    if (currency !== placement.currency) return CODE.currency
  }
  return judgeSite(index, candidate, placement)
}

function judgeShape(index: DecisionIndex, banner: number, placement: PlacementDetail): number {
  const row = banner * BANNER.width * 2
  const sizes = index.banners.i32[row + BANNER.sizes]!
  if (sizes !== 0 && placement.sizes !== 0 && sizes !== placement.sizes) {
    const accepted = index.sizeSetMembers[placement.sizes]!
    if (!index.sizeSetMembers[sizes]!.some((size) => accepted.includes(size))) return CODE.size
  }
  const format = index.banners.i32[row + BANNER.format]!
  return placement.formats === undefined || placement.formats.has(format) ? PASSED : CODE.format
}

function judgeSite(index: DecisionIndex, candidate: number, placement: PlacementDetail): number {
  if (placement.record?.siteKey === undefined) return PASSED
  const site = placement.site!
  const { i32 } = index.candidates
  const banner = i32[candidate * CANDIDATE.width * 2 + CANDIDATE.banner]! * BANNER.width
  const campaign = i32[candidate * CANDIDATE.width * 2 + CANDIDATE.campaign]!
  const advertiser =
    campaign === HOUSE
      ? index.banners.i32[banner * 2 + BANNER.advertiser]!
      : index.campaigns.i32[campaign * CAMPAIGN.width * 2 + CAMPAIGN.advertiser]!
  if (site.blockedAdvertisers.has(advertiserKeyAt(index, advertiser))) {
    return CODE['advertiser-blocked']
  }
  const product = index.banners.i32[banner * 2 + BANNER.adProduct]!
  if (product !== 0 && site.blockedAdProducts.has(index.wordTexts[product]!)) {
    return CODE['ad-product-blocked']
  }
  const advertised = campaign === HOUSE ? undefined : index.campaignDetails[campaign]!.adProduct
  if (advertised !== undefined && site.blockedAdProducts.has(advertised)) {
    return CODE['ad-product-blocked']
  }
  if (site.present && !site.approvalRequired) return PASSED
  const approved = index.siteSetMembers[index.banners.i32[banner * 2 + BANNER.approvedSites]!]!
  return approved.includes(placement.record.siteKey) ? PASSED : CODE['not-approved']
}

export function auctionListsOfType(index: DecisionIndex, type: string): AuctionLists {
  const known = index.typeLists.get(type)
  if (known !== undefined) return known
  const scope = new AuctionLists(index)
  index.typeLists.set(type, scope)
  return scope
}

/** Looks through all campaigns: placements change seldom, and a set each would weigh more. */
export function* campaignsOnPlacement(
  index: DecisionIndex,
  placement: PlacementDetail,
): Generator<number> {
  for (const detail of index.campaignDetails) {
    if (detail?.placements.includes(placement.row) === true) yield detail.row
  }
}

const campaignOf = (index: DecisionIndex, candidate: number) =>
  index.campaignDetails[
    index.candidates.i32[candidate * CANDIDATE.width * 2 + CANDIDATE.campaign]!
  ]!

const kindOf = (index: DecisionIndex, candidate: number) =>
  index.candidatesCold.i32[stateAt(candidate)]! & STATE.kind

const stateAt = (candidate: number) => candidate * CANDIDATE_COLD.width * 2 + CANDIDATE_COLD.state

const isListed = (index: DecisionIndex, candidate: number) =>
  (index.candidatesCold.i32[stateAt(candidate)]! & STATE.listed) !== 0

function setListed(index: DecisionIndex, candidate: number, listed: boolean): void {
  const { i32 } = index.candidatesCold
  const at = stateAt(candidate)
  i32[at] = listed ? i32[at]! | STATE.listed : i32[at]! & ~STATE.listed
}

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
