import {
  CAMPAIGN,
  CAMPAIGN_FLAG,
  type CampaignDetail,
  type DecisionIndex,
  NONE,
  wordNumber,
} from './catalogue.ts'
import { relist } from './membership.ts'
import { offersOfCampaign, refreshOffer } from './offer-rows.ts'
import { assertMicros } from './price.ts'
import type { Campaign, Link, Parking, TargetingRule } from './records.ts'
import { placementFor } from './inventory-changes.ts'
import { advertiserFor } from './limit-changes.ts'
import { compileTargeting } from './targeting.ts'

export function putCampaign(index: DecisionIndex, record: Campaign): void {
  assertMicros(record.rateMicros)
  assertMicros(record.bidMicrosMax ?? 0)
  const detail = campaignFor(index, record.key)
  relist(index, offersOfCampaign(index, detail.slot), () => {
    const advertiser = advertiserFor(index, record.advertiserKey)
    detail.record = record
    const { f64, i32 } = index.campaigns
    const at = detail.slot * CAMPAIGN.lanes
    f64[at + CAMPAIGN.startsAt] = record.startsAtMs ?? -Infinity
    f64[at + CAMPAIGN.endsAt] = record.endsAtMs ?? Infinity
    i32[at * 2 + CAMPAIGN.advertiser] = advertiser
    i32[at * 2 + CAMPAIGN.priority] = record.priority
    i32[at * 2 + CAMPAIGN.currency] = wordNumber(index, record.currency)
    refreshFlags(index, detail)
    compileRules(index, detail)
    for (const offer of offersOfCampaign(index, detail.slot)) refreshOffer(index, offer)
  })
}

export function removeCampaign(index: DecisionIndex, key: number): void {
  const detail = findCampaign(index, key)
  if (detail === undefined) return
  relist(index, offersOfCampaign(index, detail.slot), () => {
    detail.record = undefined
    refreshFlags(index, detail)
  })
  releaseCampaign(index, detail)
}

export function putLink(index: DecisionIndex, link: Link): void {
  if (!link.active) return removeLink(index, link)
  const campaign = campaignFor(index, link.campaignKey)
  const placement = placementFor(index, link.placementKey)
  if (placement.campaigns.has(campaign.slot)) return
  relist(index, offersOfCampaign(index, campaign.slot), () => {
    placement.campaigns.add(campaign.slot)
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
    index.placements[slot]!.campaigns.delete(campaign.slot)
    campaign.links = campaign.links.filter((placement) => placement !== slot)
  })
  releaseCampaign(index, campaign)
}

export function putRule(index: DecisionIndex, rule: TargetingRule): void {
  removeRule(index, rule.key)
  const detail = campaignFor(index, rule.campaignKey)
  index.ruleCampaigns.set(rule.key, rule.campaignKey)
  setRules(index, detail, [...detail.rules, rule])
}

export function removeRule(index: DecisionIndex, key: number): void {
  const campaignKey = index.ruleCampaigns.get(key)
  if (campaignKey === undefined) return
  index.ruleCampaigns.delete(key)
  const detail = campaignFor(index, campaignKey)
  setRules(
    index,
    detail,
    detail.rules.filter((rule) => rule.key !== key),
  )
  releaseCampaign(index, detail)
}

export function putParking(index: DecisionIndex, parking: Parking): void {
  if (parking.verdict === 'may-spend') index.parked.delete(parking.campaignKey)
  else index.parked.set(parking.campaignKey, parking.verdict)
  const detail = findCampaign(index, parking.campaignKey)
  if (detail === undefined) return
  relist(index, offersOfCampaign(index, detail.slot), () => refreshFlags(index, detail))
}

function setRules(
  index: DecisionIndex,
  detail: CampaignDetail,
  rules: readonly TargetingRule[],
): void {
  relist(index, offersOfCampaign(index, detail.slot), () => {
    detail.rules = rules
    compileRules(index, detail)
  })
}

function compileRules(index: DecisionIndex, detail: CampaignDetail): void {
  const categories = detail.record?.categories ?? []
  const compiled = compileTargeting(detail.rules, categories, index.terms)
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

function refreshFlags(index: DecisionIndex, { slot, key, record }: CampaignDetail): void {
  let flags = 0
  if (record !== undefined) {
    flags |= CAMPAIGN_FLAG.present
    if (record.status === 'active') flags |= CAMPAIGN_FLAG.active
    if (record.impressionCapReached) flags |= CAMPAIGN_FLAG.impressionCapReached
    if (record.clickCapReached) flags |= CAMPAIGN_FLAG.clickCapReached
    const parked = index.parked.get(key)
    if (parked === 'exhausted') flags |= CAMPAIGN_FLAG.exhausted
    if (parked === 'ahead-of-plan') flags |= CAMPAIGN_FLAG.aheadOfPlan
  }
  index.campaigns.i32[slot * CAMPAIGN.lanes * 2 + CAMPAIGN.flags] = flags
}

/** Rows may come in any order: whatever names a campaign first makes room for it. */
export function campaignFor(index: DecisionIndex, key: number): CampaignDetail {
  const known = findCampaign(index, key)
  if (known !== undefined) return known

  const slot = index.campaigns.take()
  const detail = { slot, key, record: undefined, rules: [], links: [], anchors: [] }
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
  if (detail.record !== undefined || detail.rules.length > 0 || detail.links.length > 0) return
  const at = detail.slot * CAMPAIGN.lanes * 2
  const { i32 } = index.campaigns
  if (i32[at + CAMPAIGN.firstOffer] !== NONE) return
  index.programs.drop(i32[at + CAMPAIGN.programEnd]! - i32[at + CAMPAIGN.programStart]!)
  index.campaignSlots.delete(detail.key)
  index.campaignDetails[detail.slot] = undefined
  index.campaigns.release(detail.slot)
}
