import {
  advertiserKeyAt,
  BANNER,
  CAMPAIGN,
  type DecisionIndex,
  NONE,
  type PlacementDetail,
  type SiteDetail,
  siteSetNumber,
  sizeSetNumber,
  wordNumber,
} from '../columns/catalogue.ts'
import { bannerFor, releaseBanner } from '../columns/banner-rows.ts'
import { linkedCampaigns, relist } from '../columns/membership.ts'
import { Scope } from '../columns/scope.ts'
import { assertMicros } from '../decide/price.ts'
import { offersOfBanner, offersOfCampaign } from '../columns/offer-rows.ts'
import type { AdProductBlock, AdvertiserBlock, Approval, Placement, Site } from './records.ts'

export function putSite(index: DecisionIndex, record: Site): void {
  const site = siteFor(index, record.key)
  if (site.present && site.approvalRequired === record.approvalRequired) return
  relist(index, offersOfSite(index, site), () => {
    site.present = true
    site.approvalRequired = record.approvalRequired
  })
}

export function removeSite(index: DecisionIndex, key: number): void {
  const site = siteFor(index, key)
  relist(index, offersOfSite(index, site), () => {
    site.present = false
    site.approvalRequired = true
  })
}

export function putPlacement(index: DecisionIndex, record: Placement): void {
  assertMicros(record.floorMicros)
  const placement = placementFor(index, record.key)
  if (placement.record !== undefined && keepsHomes(placement.record, record)) {
    writePlacement(index, placement, record)
    return
  }
  relist(index, offersOfPlacement(index, placement), () => {
    writePlacement(index, placement, record)
  })
}

export function removePlacement(index: DecisionIndex, key: number): void {
  const slot = index.placementSlots.get(key)
  if (slot === undefined) return
  const placement = index.placements[slot]!
  relist(index, offersOfPlacement(index, placement), () => {
    if (placement.record !== undefined) index.placementBySlug.delete(placement.record.slug)
    placement.site?.placements.delete(slot)
    placement.record = undefined
  })
}

/** A new floor, size of a slider or rotation moves no candidate: nothing to list again. */
function keepsHomes(before: Placement, after: Placement): boolean {
  return (
    before.type === after.type &&
    before.active === after.active &&
    before.mode === after.mode &&
    before.siteKey === after.siteKey &&
    before.currency === after.currency &&
    before.sizes?.join() === after.sizes?.join() &&
    before.formats?.join() === after.formats?.join()
  )
}

function writePlacement(index: DecisionIndex, placement: PlacementDetail, record: Placement): void {
  if (placement.record !== undefined) index.placementBySlug.delete(placement.record.slug)
  placement.site?.placements.delete(placement.slot)
  placement.record = record
  index.placementBySlug.set(record.slug, placement.slot)
  placement.site = record.siteKey === undefined ? undefined : siteFor(index, record.siteKey)
  placement.site?.placements.add(placement.slot)
  placement.sizes = sizeSetNumber(index, record.sizes)
  placement.formats =
    record.formats === undefined || record.formats.length === 0
      ? undefined
      : new Set(record.formats.map((format) => wordNumber(index, format)))
  placement.currency = wordNumber(index, record.currency)
  placement.clock = index.zones.find(record.timeZone) ?? index.utc
}

export function setAdvertiserBlock(
  index: DecisionIndex,
  { siteKey, advertiserKey }: AdvertiserBlock,
  blocked: boolean,
): void {
  const site = siteFor(index, siteKey)
  if (site.blockedAdvertisers.has(advertiserKey) === blocked) return
  const affected = offersOfSite(index, site, (campaign) => {
    const advertiser = index.campaigns.i32[campaign * CAMPAIGN.lanes * 2 + CAMPAIGN.advertiser]!
    return advertiser !== NONE && advertiserKeyAt(index, advertiser) === advertiserKey
  })
  relist(index, affected, () => setMember(site.blockedAdvertisers, advertiserKey, blocked))
}

export function setAdProductBlock(
  index: DecisionIndex,
  { siteKey, category }: AdProductBlock,
  blocked: boolean,
): void {
  const site = siteFor(index, siteKey)
  if (site.blockedAdProducts.has(category) === blocked) return
  const word = wordNumber(index, category)
  const isAbout = (campaign: number) => index.campaignDetails[campaign]?.adProduct === category
  const affected = new Set(offersOfSite(index, site, isAbout))
  for (const banner of index.bannerSlots.values()) {
    if (index.banners.i32[banner * BANNER.lanes * 2 + BANNER.adProduct] !== word) continue
    for (const offer of offersOfBanner(index, banner)) affected.add(offer)
  }
  relist(index, affected, () => setMember(site.blockedAdProducts, category, blocked))
}

export function setApproval(
  index: DecisionIndex,
  { siteKey, bannerKey }: Approval,
  approved: boolean,
): void {
  const banner = bannerFor(index, bannerKey)
  const at = banner * BANNER.lanes * 2 + BANNER.approvedSites
  const before = index.siteSetMembers[index.banners.i32[at]!]!
  if (before.includes(siteKey) !== approved) {
    const after = approved ? [...before, siteKey] : before.filter((key) => key !== siteKey)
    relist(index, offersOfBanner(index, banner), () => {
      index.banners.i32[at] = siteSetNumber(index, after)
    })
  }
  releaseBanner(index, banner)
}

function setMember<T>(members: Set<T>, member: T, wanted: boolean): void {
  if (wanted) members.add(member)
  else members.delete(member)
}

function offersOfSite(
  index: DecisionIndex,
  site: SiteDetail,
  wants: (campaign: number) => boolean = () => true,
): Set<number> {
  const offers = new Set<number>()
  for (const slot of site.placements) {
    for (const offer of offersOfPlacement(index, index.placements[slot]!, wants)) offers.add(offer)
  }
  return offers
}

function offersOfPlacement(
  index: DecisionIndex,
  placement: PlacementDetail,
  wants: (campaign: number) => boolean = () => true,
): Set<number> {
  const offers = new Set<number>(placement.assigned)
  for (const campaign of linkedCampaigns(index, placement)) {
    if (!wants(campaign)) continue
    for (const offer of offersOfCampaign(index, campaign)) offers.add(offer)
  }
  return offers
}

export function placementFor(index: DecisionIndex, key: number): PlacementDetail {
  const known = index.placementSlots.get(key)
  if (known !== undefined) return index.placements[known]!
  const placement: PlacementDetail = {
    slot: index.placements.length,
    record: undefined,
    site: undefined,
    sizes: 0,
    formats: undefined,
    currency: 0,
    clock: index.utc,
    assigned: new Set(),
    bookings: [],
    fallbacks: [],
    scope: new Scope(index),
  }
  index.placementSlots.set(key, placement.slot)
  index.placements.push(placement)
  return placement
}

function siteFor(index: DecisionIndex, key: number): SiteDetail {
  const known = index.sites.get(key)
  if (known !== undefined) return known
  const site: SiteDetail = {
    present: false,
    approvalRequired: true,
    blockedAdvertisers: new Set(),
    blockedAdProducts: new Set(),
    placements: new Set(),
  }
  index.sites.set(key, site)
  return site
}
