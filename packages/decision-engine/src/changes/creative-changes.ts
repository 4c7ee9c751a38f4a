import { compileSchedule } from '@placard/calendar'
import {
  ALWAYS,
  type DecisionIndex,
  HOUSE,
  NEVER,
  sizeSetNumber,
  wordNumber,
} from '../columns/catalogue.ts'
import { KIND, NONE } from '../columns/candidate-rows.ts'
import { BANNER_FLAG } from '../columns/tables.ts'
import { bannerFor, releaseBanner } from '../columns/banner-rows.ts'
import { campaignFor, releaseCampaign } from './campaign-changes.ts'
import { placementFor } from './inventory-changes.ts'
import { advertiserFor } from './limit-changes.ts'
import { list, relist, rerank, unlist } from '../columns/membership.ts'
import {
  addCandidate,
  dropCandidate,
  candidatesOfBanner,
  refreshCandidate,
  setBidFactors,
} from '../columns/candidates.ts'
import { assertMicros } from '../decide/price.ts'
import type { Ad, Assignment, Banner, ClickOdds, ConversionOdds } from './records.ts'
import { clampAdOdds } from '../decide/scorer.ts'

export function putBanner(index: DecisionIndex, record: Banner): void {
  const banner = bannerFor(index, record.key)
  const advertiser = advertiserFor(index, record.advertiserKey)
  relist(index, candidatesOfBanner(index, banner), () => {
    writeBanner(index, banner, record)
    index.banners.setAdvertiser(banner, advertiser)
    for (const candidate of candidatesOfBanner(index, banner)) refreshCandidate(index, candidate)
  })
  const { housePublisherKey: house } = record
  if (house === undefined) index.houses.delete(banner)
  else index.houses.set(banner, house)
  setEvergreen(index, banner, record.evergreenFallback)
}

export function removeBanner(index: DecisionIndex, key: number): void {
  const banner = index.bannerRows.get(key)
  if (banner === undefined) return
  index.houses.delete(banner)
  setEvergreen(index, banner, false)
  relist(index, candidatesOfBanner(index, banner), () => {
    index.banners.setFlags(banner, 0)
  })
  releaseBanner(index, banner)
}

function writeBanner(index: DecisionIndex, banner: number, record: Banner): void {
  const { banners } = index
  const isTimed = record.scheduleStatus !== 'evergreen'
  const unpublished = record.scheduleStatus === 'scheduled' ? Infinity : -Infinity
  banners.setPublishAt(banner, isTimed ? (record.publishAtMs ?? unpublished) : -Infinity)
  banners.setExpiresAt(banner, isTimed ? (record.expiresAtMs ?? Infinity) : Infinity)
  banners.setSchedule(banner, scheduleNumber(index, record))
  banners.setFormat(banner, wordNumber(index, record.format))
  banners.setSizes(banner, sizeSetNumber(index, record.sizes))
  banners.setAdProduct(banner, wordNumber(index, record.adProductCategory))
  banners.setPriority(banner, record.priority)
  const isDark = record.scheduleStatus === 'expired' || record.scheduleStatus === 'draft'
  const active = record.active ? BANNER_FLAG.active : 0
  const expired = isDark ? BANNER_FLAG.expired : 0
  banners.setFlags(banner, BANNER_FLAG.present | active | expired)
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

/** An evergreen fallback is a candidate without a campaign and without a price. */
function setEvergreen(index: DecisionIndex, banner: number, wanted: boolean): void {
  const candidate = index.banners.evergreenCandidate(banner)
  if (wanted === (candidate !== NONE)) return
  if (!wanted) {
    unlist(index, candidate)
    dropCandidate(index, candidate)
    index.banners.setEvergreenCandidate(banner, NONE)
    return
  }
  const added = addCandidate(index, {
    ...plainCandidate,
    kind: KIND.evergreen,
    key: index.banners.key(banner),
    campaign: HOUSE,
    banner,
  })
  index.banners.setEvergreenCandidate(banner, added)
  if (!index.loading) list(index, added)
}

const plainCandidate = {
  active: true,
  bidMicros: 0,
  odds: 1,
  conversionOdds: 1,
  ownQuality: NaN,
  firstCap: NONE,
  placement: NONE,
}

export function putAd(index: DecisionIndex, record: Ad): void {
  assertMicros(record.bidMicros)
  const factors = bidFactorsOf(index, record)
  const before = index.adRows.get(record.key)
  if (before !== undefined) {
    if (isSameCandidate(index, before, record)) {
      return rerank(index, before, () => setBidFactors(index, before, factors))
    }
    dropOwned(index, before)
  }
  const banner = bannerFor(index, record.bannerKey)
  const { row: campaign } = campaignFor(index, record.campaignKey)
  const candidate = addCandidate(index, {
    ...factors,
    kind: KIND.ad,
    key: record.key,
    campaign,
    banner,
    active: record.active,
    firstCap: index.adCaps.get(record.key) ?? NONE,
    placement: NONE,
  })
  index.adRows.set(record.key, candidate)
  if (!index.loading) list(index, candidate)
}

const bidFactorsOf = (index: DecisionIndex, { key, bidMicros, ctrOdds, quality }: Ad) => ({
  bidMicros,
  odds: ctrOdds ?? index.clickOdds.get(key) ?? 1,
  conversionOdds: index.conversionOdds.get(key) ?? 1,
  ownQuality: quality ?? NaN,
})

/** True if only the bid factors of the record have changed. */
function isSameCandidate(index: DecisionIndex, candidate: number, record: Ad): boolean {
  return (
    index.candidates.isActive(candidate) === record.active &&
    index.candidates.campaign(candidate) === index.campaignRows.get(record.campaignKey) &&
    index.candidates.banner(candidate) === index.bannerRows.get(record.bannerKey)
  )
}

export function putClickOdds(index: DecisionIndex, { adKey, odds }: ClickOdds): void {
  if (odds === 1) index.clickOdds.delete(adKey)
  else index.clickOdds.set(adKey, odds)
  const candidate = index.adRows.get(adKey)
  if (candidate === undefined) return
  rerank(index, candidate, () => {
    index.candidates.setOdds(candidate, clampAdOdds(odds))
  })
}

export function putConversionOdds(index: DecisionIndex, { adKey, odds }: ConversionOdds): void {
  if (odds === 1) index.conversionOdds.delete(adKey)
  else index.conversionOdds.set(adKey, odds)
  const candidate = index.adRows.get(adKey)
  if (candidate === undefined) return
  rerank(index, candidate, () => {
    index.candidates.setConversionOdds(candidate, clampAdOdds(odds))
    refreshCandidate(index, candidate)
  })
}

export function removeAd(index: DecisionIndex, key: number): void {
  const candidate = index.adRows.get(key)
  if (candidate === undefined) return
  index.adRows.delete(key)
  dropOwned(index, candidate)
}

export function putAssignment(index: DecisionIndex, record: Assignment): void {
  const before = index.assignmentRows.get(record.key)
  if (before !== undefined) dropAssignment(index, before)
  const banner = bannerFor(index, record.bannerKey)
  const placement = placementFor(index, record.placementKey)
  const { row: campaign } = campaignFor(index, record.campaignKey)
  const candidate = addCandidate(index, {
    ...plainCandidate,
    kind: KIND.assignment,
    key: record.key,
    campaign,
    banner,
    active: record.active,
    placement: placement.row,
  })
  index.assignmentRows.set(record.key, candidate)
  index.assignments.set(candidate, record)
  placement.assigned.add(candidate)
  if (!index.loading) list(index, candidate)
}

export function removeAssignment(index: DecisionIndex, key: number): void {
  const candidate = index.assignmentRows.get(key)
  if (candidate === undefined) return
  index.assignmentRows.delete(key)
  dropAssignment(index, candidate)
}

function dropAssignment(index: DecisionIndex, candidate: number): void {
  const placement = index.candidates.placement(candidate)
  dropOwned(index, candidate)
  index.placements[placement]!.assigned.delete(candidate)
  index.assignments.delete(candidate)
}

/** Drops a candidate, and its campaign's and banner's rows if no other row names them. */
function dropOwned(index: DecisionIndex, candidate: number): void {
  const campaign = index.candidates.campaign(candidate)
  const banner = index.candidates.banner(candidate)
  unlist(index, candidate)
  dropCandidate(index, candidate)
  const detail = index.campaignDetails[campaign]
  if (detail !== undefined) releaseCampaign(index, detail)
  releaseBanner(index, banner)
}
