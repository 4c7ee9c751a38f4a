import {
  type DecisionIndex,
  type PlacementDetail,
  type SiteDetail,
  siteSetNumber,
  sizeSetNumber,
  wordNumber,
} from '../columns/catalogue.ts'
import { NONE } from '../columns/candidate-rows.ts'
import { bannerFor, releaseBanner } from '../columns/banner-rows.ts'
import { campaignsOnPlacement, relist } from '../columns/membership.ts'
import { AuctionLists } from '../columns/auction-lists.ts'
import { assertMicros } from '../decide/price.ts'
import { candidatesOfBanner, candidatesOfCampaign } from '../columns/candidates.ts'
import type { AdProductBlock, AdvertiserBlock, Approval, Placement, Site } from './records.ts'

export function putSite(index: DecisionIndex, record: Site): void {
  const site = siteFor(index, record.key)
  if (site.present && site.approvalRequired === record.approvalRequired) return
  relist(index, candidatesOfSite(index, site), () => {
    site.present = true
    site.approvalRequired = record.approvalRequired
  })
}

export function removeSite(index: DecisionIndex, key: number): void {
  const site = siteFor(index, key)
  relist(index, candidatesOfSite(index, site), () => {
    site.present = false
    site.approvalRequired = true
  })
}

export function putPlacement(index: DecisionIndex, record: Placement): void {
  assertMicros(record.floorMicros)
  const placement = placementFor(index, record.key)
  if (placement.record !== undefined && keepsLists(placement.record, record)) {
    writePlacement(index, placement, record)
    return
  }
  relist(index, candidatesOfPlacement(index, placement), () => {
    writePlacement(index, placement, record)
  })
}

export function removePlacement(index: DecisionIndex, key: number): void {
  const row = index.placementRows.get(key)
  if (row === undefined) return
  const placement = index.placements[row]!
  relist(index, candidatesOfPlacement(index, placement), () => {
    forgetRecord(index, placement)
    placement.record = undefined
  })
}

/** A new floor, slider size or rotation moves no candidate, so no list changes. */
function keepsLists(before: Placement, after: Placement): boolean {
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
  forgetRecord(index, placement)
  placement.record = record
  index.placementBySlug.set(record.slug, placement.row)
  index.placementsByType.add(placement)
  placement.site = record.siteKey === undefined ? undefined : siteFor(index, record.siteKey)
  placement.site?.placements.add(placement.row)
  placement.sizes = sizeSetNumber(index, record.sizes)
  placement.formats =
    record.formats === undefined || record.formats.length === 0
      ? undefined
      : new Set(record.formats.map((format) => wordNumber(index, format)))
  placement.currency = wordNumber(index, record.currency)
  placement.clock = index.zones.find(record.timeZone) ?? index.utc
}

/** Out of everything that finds a placement by what its record says. */
function forgetRecord(index: DecisionIndex, placement: PlacementDetail): void {
  const { record, site, row } = placement
  site?.placements.delete(row)
  if (record === undefined) return
  index.placementBySlug.delete(record.slug)
  index.placementsByType.remove(placement, record)
}

export function setAdvertiserBlock(
  index: DecisionIndex,
  { siteKey, advertiserKey }: AdvertiserBlock,
  blocked: boolean,
): void {
  const site = siteFor(index, siteKey)
  if (site.blockedAdvertisers.has(advertiserKey) === blocked) return
  const affected = candidatesOfSite(index, site, (campaign) => {
    const advertiser = index.campaigns.advertiser(campaign)
    return advertiser !== NONE && index.advertisers.key(advertiser) === advertiserKey
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
  const affected = new Set(candidatesOfSite(index, site, isAbout))
  for (const banner of index.bannerRows.values()) {
    if (index.banners.adProduct(banner) !== word) continue
    for (const candidate of candidatesOfBanner(index, banner)) affected.add(candidate)
  }
  relist(index, affected, () => setMember(site.blockedAdProducts, category, blocked))
}

export function setApproval(
  index: DecisionIndex,
  { siteKey, bannerKey }: Approval,
  approved: boolean,
): void {
  const banner = bannerFor(index, bannerKey)
  const before = index.siteSetMembers[index.banners.approvedSites(banner)]!
  if (before.includes(siteKey) !== approved) {
    const after = approved ? [...before, siteKey] : before.filter((key) => key !== siteKey)
    relist(index, candidatesOfBanner(index, banner), () => {
      index.banners.setApprovedSites(banner, siteSetNumber(index, after))
    })
  }
  releaseBanner(index, banner)
}

function setMember<T>(members: Set<T>, member: T, wanted: boolean): void {
  if (wanted) members.add(member)
  else members.delete(member)
}

function candidatesOfSite(
  index: DecisionIndex,
  site: SiteDetail,
  wants: (campaign: number) => boolean = () => true,
): Set<number> {
  const candidates = new Set<number>()
  for (const row of site.placements) {
    for (const candidate of candidatesOfPlacement(index, index.placements[row]!, wants))
      candidates.add(candidate)
  }
  return candidates
}

function candidatesOfPlacement(
  index: DecisionIndex,
  placement: PlacementDetail,
  wants: (campaign: number) => boolean = () => true,
): Set<number> {
  const candidates = new Set<number>(placement.assigned)
  for (const campaign of campaignsOnPlacement(index, placement)) {
    if (!wants(campaign)) continue
    for (const candidate of candidatesOfCampaign(index, campaign)) candidates.add(candidate)
  }
  return candidates
}

export function placementFor(index: DecisionIndex, key: number): PlacementDetail {
  const known = index.placementRows.get(key)
  if (known !== undefined) return index.placements[known]!
  const placement: PlacementDetail = {
    row: index.placements.length,
    record: undefined,
    site: undefined,
    sizes: 0,
    formats: undefined,
    currency: 0,
    clock: index.utc,
    assigned: new Set(),
    bookings: [],
    fallbacks: [],
    auctionLists: new AuctionLists(index),
  }
  index.placementRows.set(key, placement.row)
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
