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
  OFFER,
  OFFER_COLD,
  type PlacementDetail,
  STATE,
} from './catalogue.ts'
import { compareBookings, compareEvergreens, compareFallbacks } from './booking-order.ts'
import { CODE, PASSED } from '../explain/reasons.ts'
import { Scope } from './scope.ts'

/**
 * Which lists an offer is in follows from the catalogue alone: whatever no request and no clock can
 * change (status, link, size, format, blocklists, approval) is decided here, when a row changes, so
 * that a decision meets only candidates with a chance. A change takes its offers out of the lists,
 * changes the rows, and lists them again.
 */
export function relist(index: DecisionIndex, offers: Iterable<number>, change: () => void): void {
  const affected = [...offers]
  if (!index.loading) for (const offer of affected) unlist(index, offer)
  change()
  if (!index.loading) for (const offer of affected) list(index, offer)
}

/**
 * For a change of an offer's worth, quality or odds and of nothing else: the commonest, by people and by
 * what learns. Auctions alone go by them; an ad stays in its lists, in most between the same two others.
 */
export function rerank(index: DecisionIndex, offer: number, change: () => void): void {
  const scopes: Scope[] = []
  if (isListed(index, offer)) {
    visitHomes(index, offer, { scope: (scope) => scopes.push(scope), sorted: () => {} })
  }
  let rank = 0.5
  for (const scope of scopes) rank = scope.seek(offer, rank)
  change()
  for (const scope of scopes) scope.settle(offer)
}

export function list(index: DecisionIndex, offer: number): void {
  visitHomes(index, offer, {
    scope: (scope) => scope.add(offer),
    sorted: (slots, order) => insertSorted(slots, offer, order),
  })
  setListed(index, offer, true)
}

export function unlist(index: DecisionIndex, offer: number): void {
  if (!isListed(index, offer)) return
  visitHomes(index, offer, {
    scope: (scope) => scope.remove(offer),
    sorted: (slots) => slots.splice(slots.indexOf(offer), 1),
  })
  setListed(index, offer, false)
}

/** Ends the loading state: every offer is listed, every list sorted once. */
export function finishLoad(index: DecisionIndex): void {
  if (!index.loading) return
  index.loading = false
  const scopes = new Set<Scope>()
  for (const offer of allOffers(index)) {
    visitHomes(index, offer, {
      scope: (scope) => {
        scope.load(offer)
        scopes.add(scope)
      },
      sorted: (slots, order) => insertSorted(slots, offer, order),
    })
    setListed(index, offer, true)
  }
  for (const scope of scopes) scope.build()
}

function* allOffers(index: DecisionIndex): Iterable<number> {
  yield* index.adSlots.values()
  yield* index.assignmentSlots.values()
  const { banners } = index
  for (const slot of index.bannerSlots.values()) {
    const evergreen = banners.i32[slot * BANNER.lanes * 2 + BANNER.evergreenOffer]!
    if (evergreen !== NONE) yield evergreen
  }
}

type OfferOrder = (index: DecisionIndex, a: number, b: number) => number

interface Homes {
  scope(scope: Scope): unknown
  sorted(slots: number[], order: (a: number, b: number) => number): unknown
}

function visitHomes(index: DecisionIndex, offer: number, homes: Homes): void {
  if (!hasStanding(index, offer)) return
  const kind = kindOf(index, offer)
  if (kind === KIND.ad) return visitScopes(index, offer, homes)

  const order = (compare: OfferOrder) => (a: number, b: number) => compare(index, a, b)
  if (kind === KIND.evergreen) return void homes.sorted(index.evergreens, order(compareEvergreens))

  const cold = offer * OFFER_COLD.lanes * 2
  const placement = index.placements[index.offersCold.i32[cold + OFFER_COLD.placement]!]!
  if (judgeFit(index, offer, placement) !== PASSED) return
  const { isFallback } = index.assignments.get(offer)!
  if (isFallback) homes.sorted(placement.fallbacks, order(compareFallbacks))
  else homes.sorted(placement.bookings, order(compareBookings))
}

function visitScopes(index: DecisionIndex, offer: number, homes: Homes): void {
  const types: string[] = []
  for (const slot of campaignOf(index, offer).links) {
    const placement = index.placements[slot]!
    const type = placement.record?.active === true ? placement.record.type : undefined
    if (type !== undefined && !types.includes(type)) {
      types.push(type)
      homes.scope(typeScope(index, type))
    }
    if (judgeFit(index, offer, placement) === PASSED) homes.scope(placement.scope)
  }
}

/** Whether an offer can serve anywhere, whatever the request. */
function hasStanding(index: DecisionIndex, offer: number): boolean {
  if (judgeActive(index, offer) !== PASSED) return false
  return !isExpired(index, offer) && judgeParking(index, offer) === PASSED
}

/** Campaign, ad and banner are active, and the campaign has impressions and clicks to go. */
export function judgeActive(index: DecisionIndex, offer: number): number {
  const flags = campaignFlags(index, offer)
  if ((flags & CAMPAIGN_FLAG.active) === 0) return CODE['campaign-not-active']
  if ((index.offersCold.i32[stateAt(offer)]! & STATE.active) === 0) return CODE['ad-not-active']
  if ((bannerFlags(index, offer) & BANNER_FLAG.active) === 0) return CODE['banner-not-active']
  if ((flags & CAMPAIGN_FLAG.impressionCapReached) !== 0) return CODE['impression-cap-reached']
  return (flags & CAMPAIGN_FLAG.clickCapReached) === 0 ? PASSED : CODE['click-cap-reached']
}

export const isExpired = (index: DecisionIndex, offer: number): boolean =>
  (bannerFlags(index, offer) & BANNER_FLAG.expired) !== 0

/** The standing verdict on the campaign's budget and plan. */
export function judgeParking(index: DecisionIndex, offer: number): number {
  const flags = campaignFlags(index, offer)
  if ((flags & CAMPAIGN_FLAG.exhausted) !== 0) return CODE.exhausted
  return (flags & CAMPAIGN_FLAG.aheadOfPlan) === 0 ? PASSED : CODE['ahead-of-plan']
}

function campaignFlags(index: DecisionIndex, offer: number): number {
  const campaign = index.offers.i32[offer * OFFER.lanes * 2 + OFFER.campaign]!
  return index.campaigns.i32[campaign * CAMPAIGN.lanes * 2 + CAMPAIGN.flags]!
}

function bannerFlags(index: DecisionIndex, offer: number): number {
  const banner = index.offers.i32[offer * OFFER.lanes * 2 + OFFER.banner]!
  return index.banners.i32[banner * BANNER.lanes * 2 + BANNER.flags]!
}

/** Placement, type, size, format, currency; then blocklists and approval. */
export function judgeFit(index: DecisionIndex, offer: number, placement: PlacementDetail): number {
  const { record } = placement
  if (record === undefined || !record.active) return CODE['placement-not-active']
  const { i32 } = index.offers
  const campaign = i32[offer * OFFER.lanes * 2 + OFFER.campaign]!
  const kind = kindOf(index, offer)
  if (kind !== KIND.evergreen) {
    const { links } = index.campaignDetails[campaign]!
    if (!links.includes(placement.slot)) return CODE['not-linked']
    if (record.mode === (kind === KIND.ad ? 'direct' : 'auction')) return CODE['other-mode']
  }
  if (kind === KIND.assignment) {
    const own = index.offersCold.i32[offer * OFFER_COLD.lanes * 2 + OFFER_COLD.placement]
    if (own !== placement.slot) return CODE['not-linked']
  }
  const banner = i32[offer * OFFER.lanes * 2 + OFFER.banner]!
  const shape = judgeShape(index, banner, placement)
  if (shape !== PASSED) return shape
  const currency = index.campaigns.i32[campaign * CAMPAIGN.lanes * 2 + CAMPAIGN.currency]!
  if (kind === KIND.ad && currency !== 0 && placement.currency !== 0) {
    if (currency !== placement.currency) return CODE.currency
  }
  return judgeSite(index, offer, placement)
}

function judgeShape(index: DecisionIndex, banner: number, placement: PlacementDetail): number {
  const row = banner * BANNER.lanes * 2
  const sizes = index.banners.i32[row + BANNER.sizes]!
  if (sizes !== 0 && placement.sizes !== 0 && sizes !== placement.sizes) {
    const accepted = index.sizeSetMembers[placement.sizes]!
    if (!index.sizeSetMembers[sizes]!.some((size) => accepted.includes(size))) return CODE.size
  }
  const format = index.banners.i32[row + BANNER.format]!
  return placement.formats === undefined || placement.formats.has(format) ? PASSED : CODE.format
}

function judgeSite(index: DecisionIndex, offer: number, placement: PlacementDetail): number {
  if (placement.record?.siteKey === undefined) return PASSED
  const site = placement.site!
  const { i32 } = index.offers
  const banner = i32[offer * OFFER.lanes * 2 + OFFER.banner]! * BANNER.lanes
  const campaign = i32[offer * OFFER.lanes * 2 + OFFER.campaign]!
  const advertiser =
    campaign === HOUSE
      ? index.banners.i32[banner * 2 + BANNER.advertiser]!
      : index.campaigns.i32[campaign * CAMPAIGN.lanes * 2 + CAMPAIGN.advertiser]!
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

export function typeScope(index: DecisionIndex, type: string): Scope {
  const known = index.typeScopes.get(type)
  if (known !== undefined) return known
  const scope = new Scope(index)
  index.typeScopes.set(type, scope)
  return scope
}

/** Looks through all campaigns: placements change seldom, and a set each would weigh more. */
export function* linkedCampaigns(
  index: DecisionIndex,
  placement: PlacementDetail,
): Generator<number> {
  for (const detail of index.campaignDetails) {
    if (detail?.links.includes(placement.slot) === true) yield detail.slot
  }
}

const campaignOf = (index: DecisionIndex, offer: number) =>
  index.campaignDetails[index.offers.i32[offer * OFFER.lanes * 2 + OFFER.campaign]!]!

const kindOf = (index: DecisionIndex, offer: number) =>
  index.offersCold.i32[stateAt(offer)]! & STATE.kind

const stateAt = (offer: number) => offer * OFFER_COLD.lanes * 2 + OFFER_COLD.state

const isListed = (index: DecisionIndex, offer: number) =>
  (index.offersCold.i32[stateAt(offer)]! & STATE.listed) !== 0

function setListed(index: DecisionIndex, offer: number, listed: boolean): void {
  const { i32 } = index.offersCold
  const at = stateAt(offer)
  i32[at] = listed ? i32[at]! | STATE.listed : i32[at]! & ~STATE.listed
}

function insertSorted(
  slots: number[],
  offer: number,
  order: (a: number, b: number) => number,
): void {
  let low = 0
  let high = slots.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (order(slots[middle]!, offer) < 0) low = middle + 1
    else high = middle
  }
  slots.splice(low, 0, offer)
}
