import {
  CAMPAIGN,
  CAMPAIGN_COLD,
  CAMPAIGN_FLAG,
  type CampaignDetail,
  type DecisionIndex,
  NONE,
  wordNumber,
} from '../columns/catalogue.ts'
import { relist, rerank } from '../columns/membership.ts'
import { offersOfCampaign, refreshOffer } from '../columns/offer-rows.ts'
import { assertMicros } from '../decide/price.ts'
import type { BidMultiplier, Campaign, Link, Parking, TargetingRule } from './records.ts'
import { placementFor } from './inventory-changes.ts'
import { advertiserFor } from './limit-changes.ts'
import { compileTargeting, encodeRule, withoutRule } from '../decide/targeting.ts'

export function putCampaign(index: DecisionIndex, record: Campaign): void {
  assertMicros(record.rateMicros)
  assertMicros(record.bidMicrosMax ?? 0)
  const detail = campaignFor(index, record.key)
  relist(index, offersOfCampaign(index, detail.slot), () => {
    const advertiser = advertiserFor(index, record.advertiserKey)
    detail.categories = record.categories ?? NOTHING
    detail.adProduct = record.adProductCategory
    const { f64, i32 } = index.campaigns
    const at = detail.slot * CAMPAIGN.lanes
    f64[at + CAMPAIGN.startsAt] = record.startsAtMs ?? -Infinity
    f64[at + CAMPAIGN.endsAt] = record.endsAtMs ?? Infinity
    i32[at * 2 + CAMPAIGN.advertiser] = advertiser
    i32[at * 2 + CAMPAIGN.priority] = record.priority
    i32[at * 2 + CAMPAIGN.currency] = wordNumber(index, record.currency)
    i32[at * 2 + CAMPAIGN.flags] = flagsOf(record) | parkingFlags(index, record.key)
    writeTerms(index, detail.slot, record)
    writeMultiplier(index, detail)
    compileRules(index, detail)
    for (const offer of offersOfCampaign(index, detail.slot)) refreshOffer(index, offer)
  })
}

export function removeCampaign(index: DecisionIndex, key: number): void {
  const detail = findCampaign(index, key)
  if (detail === undefined) return
  relist(index, offersOfCampaign(index, detail.slot), () => {
    index.campaigns.i32[detail.slot * CAMPAIGN.lanes * 2 + CAMPAIGN.flags] = 0
    detail.categories = NOTHING
    detail.adProduct = undefined
  })
  releaseCampaign(index, detail)
}

export function putLink(index: DecisionIndex, link: Link): void {
  if (!link.active) return removeLink(index, link)
  const campaign = campaignFor(index, link.campaignKey)
  const placement = placementFor(index, link.placementKey)
  if (campaign.links.includes(placement.slot)) return
  relist(index, offersOfCampaign(index, campaign.slot), () => {
    campaign.links = [...campaign.links, placement.slot]
  })
}

export function removeLink(
  index: DecisionIndex,
  link: Pick<Link, 'campaignKey' | 'placementKey'>,
): void {
  const campaign = findCampaign(index, link.campaignKey)
  const slot = index.placementSlots.get(link.placementKey)
  if (campaign === undefined || slot === undefined) return
  relist(index, offersOfCampaign(index, campaign.slot), () => {
    campaign.links = campaign.links.filter((placement) => placement !== slot)
  })
  releaseCampaign(index, campaign)
}

/** A rule stays with its campaign for life. */
export function putRule(index: DecisionIndex, rule: TargetingRule): void {
  const detail = campaignFor(index, rule.campaignKey)
  const others = withoutRule(detail.rules, rule.key)
  setRules(index, detail, [...others, ...encodeRule(rule, index.terms)])
}

export function removeRule(
  index: DecisionIndex,
  { key, campaignKey }: Pick<TargetingRule, 'key' | 'campaignKey'>,
): void {
  const detail = findCampaign(index, campaignKey)
  if (detail === undefined) return
  setRules(index, detail, withoutRule(detail.rules, key))
  releaseCampaign(index, detail)
}

export function putParking(index: DecisionIndex, parking: Parking): void {
  if (parking.verdict === 'may-spend') index.parked.delete(parking.campaignKey)
  else index.parked.set(parking.campaignKey, parking.verdict)
  const detail = findCampaign(index, parking.campaignKey)
  if (detail === undefined) return
  relist(index, offersOfCampaign(index, detail.slot), () => {
    const at = detail.slot * CAMPAIGN.lanes * 2 + CAMPAIGN.flags
    const { i32 } = index.campaigns
    if (i32[at] !== 0) i32[at] = (i32[at]! & ~PARKED) | parkingFlags(index, detail.key)
  })
}

export function putBidMultiplier(index: DecisionIndex, learned: BidMultiplier): void {
  const { campaignKey, multiplier, lift = 1 } = learned
  if (multiplier === undefined) index.bidMultipliers.delete(campaignKey)
  else index.bidMultipliers.set(campaignKey, multiplier)
  if (lift === 1) index.bidLifts.delete(campaignKey)
  else index.bidLifts.set(campaignKey, lift)
  const detail = findCampaign(index, campaignKey)
  if (detail === undefined) return
  writeMultiplier(index, detail)
  for (const offer of offersOfCampaign(index, detail.slot)) {
    rerank(index, offer, () => refreshOffer(index, offer))
  }
}

function writeMultiplier(index: DecisionIndex, { slot, key }: CampaignDetail): void {
  const { f64 } = index.campaignsCold
  const at = slot * CAMPAIGN_COLD.lanes
  f64[at + CAMPAIGN_COLD.multiplier] =
    index.bidMultipliers.get(key) ?? f64[at + CAMPAIGN_COLD.ownMultiplier]!
}

function setRules(index: DecisionIndex, detail: CampaignDetail, rules: readonly number[]): void {
  relist(index, offersOfCampaign(index, detail.slot), () => {
    detail.rules = rules
    compileRules(index, detail)
  })
}

function compileRules(index: DecisionIndex, detail: CampaignDetail): void {
  const compiled = compileTargeting(detail.rules, detail.categories, index.terms)
  const { i32 } = index.campaigns
  const at = detail.slot * CAMPAIGN.lanes * 2
  index.programs.drop(i32[at + CAMPAIGN.programEnd]! - i32[at + CAMPAIGN.programStart]!)
  i32[at + CAMPAIGN.traits] = compiled.traits
  i32[at + CAMPAIGN.hours] = compiled.hours
  detail.anchors = compiled.anchors
  storeProgram(index, detail.slot, compiled.program)
  if (index.programs.isWasteful) compactPrograms(index)
}

function storeProgram(index: DecisionIndex, slot: number, program: readonly number[]): void {
  const start = index.programs.add(program)
  const { i32 } = index.campaigns
  i32[slot * CAMPAIGN.lanes * 2 + CAMPAIGN.programStart] = start
  i32[slot * CAMPAIGN.lanes * 2 + CAMPAIGN.programEnd] = start + program.length
}

function compactPrograms(index: DecisionIndex): void {
  const { i32 } = index.campaigns
  const kept = [...index.campaignSlots.values()].map((slot) => {
    const at = slot * CAMPAIGN.lanes * 2
    const start = i32[at + CAMPAIGN.programStart]!
    const program = index.programs.pool.slice(start, i32[at + CAMPAIGN.programEnd])
    return { slot, program: Array.from(program) }
  })
  index.programs.clear()
  for (const { slot, program } of kept) storeProgram(index, slot, program)
}

function flagsOf(record: Campaign): number {
  return (
    CAMPAIGN_FLAG.present |
    (record.status === 'active' ? CAMPAIGN_FLAG.active : 0) |
    (record.impressionCapReached ? CAMPAIGN_FLAG.impressionCapReached : 0) |
    (record.clickCapReached ? CAMPAIGN_FLAG.clickCapReached : 0) |
    (record.pricing === 'cpc' ? CAMPAIGN_FLAG.cpc : 0) |
    (record.mayExceedMax ? CAMPAIGN_FLAG.mayExceedMax : 0)
  )
}

const PARKED = CAMPAIGN_FLAG.exhausted | CAMPAIGN_FLAG.aheadOfPlan

function parkingFlags(index: DecisionIndex, key: number): number {
  const verdict = index.parked.get(key)
  if (verdict === 'exhausted') return CAMPAIGN_FLAG.exhausted
  return verdict === 'ahead-of-plan' ? CAMPAIGN_FLAG.aheadOfPlan : 0
}

function writeTerms(index: DecisionIndex, slot: number, record: Campaign): void {
  const { f64 } = index.campaignsCold
  const at = slot * CAMPAIGN_COLD.lanes
  f64[at + CAMPAIGN_COLD.bidMax] = record.bidMicrosMax ?? NaN
  f64[at + CAMPAIGN_COLD.ownMultiplier] = record.bidMultiplier
  f64[at + CAMPAIGN_COLD.rate] = record.rateMicros
}

/** Shared, so that a campaign without rules or links holds no array of its own. */
const NOTHING: readonly never[] = []

/** Rows may come in any order: whatever names a campaign first makes room for it. */
export function campaignFor(index: DecisionIndex, key: number): CampaignDetail {
  const known = findCampaign(index, key)
  if (known !== undefined) return known

  const slot = index.campaigns.take()
  if (index.campaignsCold.take() !== slot) throw new Error('hot and cold rows have parted')
  const detail: CampaignDetail = {
    slot,
    key,
    rules: NOTHING,
    categories: NOTHING,
    adProduct: undefined,
    links: NOTHING,
    anchors: NOTHING,
  }
  index.campaignSlots.set(key, slot)
  index.campaignDetails[slot] = detail
  const { f64, i32 } = index.campaigns
  f64[slot * CAMPAIGN.lanes + CAMPAIGN.key] = key
  i32[slot * CAMPAIGN.lanes * 2 + CAMPAIGN.firstOffer] = NONE
  i32[slot * CAMPAIGN.lanes * 2 + CAMPAIGN.firstCap] = index.campaignCaps.get(key) ?? NONE
  compileRules(index, detail)
  return detail
}

export function findCampaign(index: DecisionIndex, key: number): CampaignDetail | undefined {
  const slot = index.campaignSlots.get(key)
  return slot === undefined ? undefined : index.campaignDetails[slot]
}

/** Frees the slot once nothing names the campaign any more. */
export function releaseCampaign(index: DecisionIndex, detail: CampaignDetail): void {
  if (detail.rules.length > 0 || detail.links.length > 0) return
  const at = detail.slot * CAMPAIGN.lanes * 2
  const { i32 } = index.campaigns
  if (i32[at + CAMPAIGN.flags] !== 0 || i32[at + CAMPAIGN.firstOffer] !== NONE) return
  index.programs.drop(i32[at + CAMPAIGN.programEnd]! - i32[at + CAMPAIGN.programStart]!)
  index.campaignSlots.delete(detail.key)
  index.campaignDetails[detail.slot] = undefined
  index.campaigns.release(detail.slot)
  index.campaignsCold.release(detail.slot)
}
