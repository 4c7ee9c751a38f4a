import {
  ALWAYS,
  BANNER,
  BANNER_FLAG,
  type DecisionIndex,
  HOUSE,
  KIND,
  NEVER,
  NONE,
  OFFER,
  OFFER_COLD,
  sizeSetNumber,
  STATE,
  wordNumber,
} from '../columns/catalogue.ts'
import { bannerFor, releaseBanner } from '../columns/banner-rows.ts'
import { campaignFor, releaseCampaign } from './campaign-changes.ts'
import { placementFor } from './inventory-changes.ts'
import { advertiserFor } from './limit-changes.ts'
import { list, relist, rerank, unlist } from '../columns/membership.ts'
import {
  addOffer,
  dropOffer,
  offersOfBanner,
  refreshOffer,
  setMerits,
} from '../columns/offer-rows.ts'
import { assertMicros } from '../decide/price.ts'
import type { Ad, Assignment, Banner, ClickOdds } from './records.ts'
import { compileSchedule } from '../decide/schedule.ts'
import { clampAdOdds } from '../decide/scorer.ts'

export function putBanner(index: DecisionIndex, record: Banner): void {
  const banner = bannerFor(index, record.key)
  const advertiser = advertiserFor(index, record.advertiserKey)
  relist(index, offersOfBanner(index, banner), () => {
    writeBanner(index, banner, record)
    index.banners.i32[banner * BANNER.lanes * 2 + BANNER.advertiser] = advertiser
    for (const offer of offersOfBanner(index, banner)) refreshOffer(index, offer)
  })
  setEvergreen(index, banner, record.evergreenFallback)
}

export function removeBanner(index: DecisionIndex, key: number): void {
  const banner = index.bannerSlots.get(key)
  if (banner === undefined) return
  setEvergreen(index, banner, false)
  relist(index, offersOfBanner(index, banner), () => {
    index.banners.i32[banner * BANNER.lanes * 2 + BANNER.flags] = 0
  })
  releaseBanner(index, banner)
}

function writeBanner(index: DecisionIndex, banner: number, record: Banner): void {
  const { f64, i32 } = index.banners
  const at = banner * BANNER.lanes
  const isTimed = record.scheduleStatus !== 'evergreen'
  const unpublished = record.scheduleStatus === 'scheduled' ? Infinity : -Infinity
  f64[at + BANNER.publishAt] = isTimed ? (record.publishAtMs ?? unpublished) : -Infinity
  f64[at + BANNER.expiresAt] = isTimed ? (record.expiresAtMs ?? Infinity) : Infinity
  i32[at * 2 + BANNER.schedule] = scheduleNumber(index, record)
  i32[at * 2 + BANNER.format] = wordNumber(index, record.format)
  i32[at * 2 + BANNER.sizes] = sizeSetNumber(index, record.sizes)
  i32[at * 2 + BANNER.adProduct] = wordNumber(index, record.adProductCategory)
  i32[at * 2 + BANNER.priority] = record.priority
  const isDark = record.scheduleStatus === 'expired' || record.scheduleStatus === 'draft'
  i32[at * 2 + BANNER.flags] =
    BANNER_FLAG.present |
    (record.active ? BANNER_FLAG.active : 0) |
    (isDark ? BANNER_FLAG.expired : 0)
}

/** Banners with the same zone, rule, window and first day share one schedule. */
function scheduleNumber(index: DecisionIndex, record: Banner): number {
  const schedule = compileSchedule(record, index.zones.find(record.timeZone))
  if (schedule === 'always') return ALWAYS
  if (schedule === 'never') return NEVER
  const { recurrenceRule = '', windowStart = '', windowEnd = '' } = record
  const name = [record.timeZone, recurrenceRule, windowStart, windowEnd, schedule.anchorDay].join()
  const known = index.scheduleNumbers.get(name)
  if (known !== undefined) return known
  const number = index.schedules.push(schedule) - 1
  index.scheduleNumbers.set(name, number)
  return number
}

/** An evergreen fallback is an offer of its own, without a campaign and without a price. */
function setEvergreen(index: DecisionIndex, banner: number, wanted: boolean): void {
  const at = banner * BANNER.lanes * 2 + BANNER.evergreenOffer
  const offer = index.banners.i32[at]!
  if (wanted === (offer !== NONE)) return
  if (!wanted) {
    unlist(index, offer)
    dropOffer(index, offer)
    index.banners.i32[at] = NONE
    return
  }
  const added = addOffer(index, {
    ...plainOffer,
    kind: KIND.evergreen,
    key: index.banners.f64[banner * BANNER.lanes + BANNER.key]!,
    campaign: HOUSE,
    banner,
  })
  index.banners.i32[at] = added
  if (!index.loading) list(index, added)
}

const plainOffer = {
  active: true,
  bidMicros: 0,
  odds: 1,
  ownQuality: NaN,
  firstCap: NONE,
  placement: NONE,
}

export function putAd(index: DecisionIndex, record: Ad): void {
  assertMicros(record.bidMicros)
  const merits = meritsOf(index, record)
  const before = index.adSlots.get(record.key)
  if (before !== undefined) {
    if (isSameOffer(index, before, record)) {
      return rerank(index, before, () => setMerits(index, before, merits))
    }
    dropOwned(index, before)
  }
  const banner = bannerFor(index, record.bannerKey)
  const { slot: campaign } = campaignFor(index, record.campaignKey)
  const offer = addOffer(index, {
    ...merits,
    kind: KIND.ad,
    key: record.key,
    campaign,
    banner,
    active: record.active,
    firstCap: index.adCaps.get(record.key) ?? NONE,
    placement: NONE,
  })
  index.adSlots.set(record.key, offer)
  if (!index.loading) list(index, offer)
}

const meritsOf = (index: DecisionIndex, { key, bidMicros, ctrOdds, quality }: Ad) => ({
  bidMicros,
  odds: ctrOdds ?? index.clickOdds.get(key) ?? 1,
  ownQuality: quality ?? NaN,
})

/** Whether the record has changed in nothing but its merits. */
function isSameOffer(index: DecisionIndex, offer: number, record: Ad): boolean {
  const at = offer * OFFER.lanes * 2
  const { i32 } = index.offers
  const isActive =
    (index.offersCold.i32[offer * OFFER_COLD.lanes * 2 + OFFER_COLD.state]! & STATE.active) !== 0
  return (
    isActive === record.active &&
    i32[at + OFFER.campaign] === index.campaignSlots.get(record.campaignKey) &&
    i32[at + OFFER.banner] === index.bannerSlots.get(record.bannerKey)
  )
}

export function putClickOdds(index: DecisionIndex, { adKey, odds }: ClickOdds): void {
  if (odds === 1) index.clickOdds.delete(adKey)
  else index.clickOdds.set(adKey, odds)
  const offer = index.adSlots.get(adKey)
  if (offer === undefined) return
  rerank(index, offer, () => {
    index.offers.f64[offer * OFFER.lanes + OFFER.odds] = clampAdOdds(odds)
  })
}

export function removeAd(index: DecisionIndex, key: number): void {
  const offer = index.adSlots.get(key)
  if (offer === undefined) return
  index.adSlots.delete(key)
  dropOwned(index, offer)
}

export function putAssignment(index: DecisionIndex, record: Assignment): void {
  const before = index.assignmentSlots.get(record.key)
  if (before !== undefined) dropAssignment(index, before)
  const banner = bannerFor(index, record.bannerKey)
  const placement = placementFor(index, record.placementKey)
  const { slot: campaign } = campaignFor(index, record.campaignKey)
  const offer = addOffer(index, {
    ...plainOffer,
    kind: KIND.assignment,
    key: record.key,
    campaign,
    banner,
    active: record.active,
    placement: placement.slot,
  })
  index.assignmentSlots.set(record.key, offer)
  index.assignments.set(offer, record)
  placement.assigned.add(offer)
  if (!index.loading) list(index, offer)
}

export function removeAssignment(index: DecisionIndex, key: number): void {
  const offer = index.assignmentSlots.get(key)
  if (offer === undefined) return
  index.assignmentSlots.delete(key)
  dropAssignment(index, offer)
}

function dropAssignment(index: DecisionIndex, offer: number): void {
  const placement = index.offersCold.i32[offer * OFFER_COLD.lanes * 2 + OFFER_COLD.placement]!
  dropOwned(index, offer)
  index.placements[placement]!.assigned.delete(offer)
  index.assignments.delete(offer)
}

/** Drops an offer, and the slots of a campaign and banner that nothing else names. */
function dropOwned(index: DecisionIndex, offer: number): void {
  const at = offer * OFFER.lanes * 2
  const campaign = index.offers.i32[at + OFFER.campaign]!
  const banner = index.offers.i32[at + OFFER.banner]!
  unlist(index, offer)
  dropOffer(index, offer)
  const detail = index.campaignDetails[campaign]
  if (detail !== undefined) releaseCampaign(index, detail)
  releaseBanner(index, banner)
}
