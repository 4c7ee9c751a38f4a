import {
  ALWAYS,
  BANNER,
  BANNER_FLAG,
  type DecisionIndex,
  HOUSE,
  KIND,
  NEVER,
  NONE,
  CANDIDATE,
  CANDIDATE_COLD,
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
  addCandidate,
  dropCandidate,
  candidatesOfBanner,
  refreshCandidate,
  setBidFactors,
} from '../columns/candidate-rows.ts'
import { assertMicros } from '../decide/price.ts'
import type { Ad, Assignment, Banner, ClickOdds } from './records.ts'
import { compileSchedule } from '../decide/schedule.ts'
import { clampAdOdds } from '../decide/scorer.ts'

export function putBanner(index: DecisionIndex, record: Banner): void {
  const banner = bannerFor(index, record.key)
  const advertiser = advertiserFor(index, record.advertiserKey)
  relist(index, candidatesOfBanner(index, banner), () => {
    writeBanner(index, banner, record)
    index.banners.i32[banner * BANNER.width * 2 + BANNER.advertiser] = advertiser
    for (const candidate of candidatesOfBanner(index, banner)) refreshCandidate(index, candidate)
  })
  setEvergreen(index, banner, record.evergreenFallback)
}

export function removeBanner(index: DecisionIndex, key: number): void {
  const banner = index.bannerRows.get(key)
  if (banner === undefined) return
  setEvergreen(index, banner, false)
  relist(index, candidatesOfBanner(index, banner), () => {
    index.banners.i32[banner * BANNER.width * 2 + BANNER.flags] = 0
  })
  releaseBanner(index, banner)
}

function writeBanner(index: DecisionIndex, banner: number, record: Banner): void {
  const { f64, i32 } = index.banners
  const at = banner * BANNER.width
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

/** An evergreen fallback is an candidate of its own, without a campaign and without a price. */
function setEvergreen(index: DecisionIndex, banner: number, wanted: boolean): void {
  const at = banner * BANNER.width * 2 + BANNER.evergreenCandidate
  const candidate = index.banners.i32[at]!
  if (wanted === (candidate !== NONE)) return
  if (!wanted) {
    unlist(index, candidate)
    dropCandidate(index, candidate)
    index.banners.i32[at] = NONE
    return
  }
  const added = addCandidate(index, {
    ...plainCandidate,
    kind: KIND.evergreen,
    key: index.banners.f64[banner * BANNER.width + BANNER.key]!,
    campaign: HOUSE,
    banner,
  })
  index.banners.i32[at] = added
  if (!index.loading) list(index, added)
}

const plainCandidate = {
  active: true,
  bidMicros: 0,
  odds: 1,
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
  ownQuality: quality ?? NaN,
})

/** Whether the record has changed in nothing but its factors. */
function isSameCandidate(index: DecisionIndex, candidate: number, record: Ad): boolean {
  const at = candidate * CANDIDATE.width * 2
  const { i32 } = index.candidates
  const isActive =
    (index.candidatesCold.i32[candidate * CANDIDATE_COLD.width * 2 + CANDIDATE_COLD.state]! &
      STATE.active) !==
    0
  return (
    isActive === record.active &&
    i32[at + CANDIDATE.campaign] === index.campaignRows.get(record.campaignKey) &&
    i32[at + CANDIDATE.banner] === index.bannerRows.get(record.bannerKey)
  )
}

export function putClickOdds(index: DecisionIndex, { adKey, odds }: ClickOdds): void {
  if (odds === 1) index.clickOdds.delete(adKey)
  else index.clickOdds.set(adKey, odds)
  const candidate = index.adRows.get(adKey)
  if (candidate === undefined) return
  rerank(index, candidate, () => {
    index.candidates.f64[candidate * CANDIDATE.width + CANDIDATE.odds] = clampAdOdds(odds)
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
  const placement =
    index.candidatesCold.i32[candidate * CANDIDATE_COLD.width * 2 + CANDIDATE_COLD.placement]!
  dropOwned(index, candidate)
  index.placements[placement]!.assigned.delete(candidate)
  index.assignments.delete(candidate)
}

/** Drops an candidate, and the rows of a campaign and banner that nothing else names. */
function dropOwned(index: DecisionIndex, candidate: number): void {
  const at = candidate * CANDIDATE.width * 2
  const campaign = index.candidates.i32[at + CANDIDATE.campaign]!
  const banner = index.candidates.i32[at + CANDIDATE.banner]!
  unlist(index, candidate)
  dropCandidate(index, candidate)
  const detail = index.campaignDetails[campaign]
  if (detail !== undefined) releaseCampaign(index, detail)
  releaseBanner(index, banner)
}
