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
import { candidatesOfCampaign, refreshCandidate } from '../columns/candidate-rows.ts'
import { assertMicros } from '../decide/price.ts'
import type {
  BidMultiplier,
  Campaign,
  CampaignPlacement,
  CampaignSpendVerdict,
  TargetingRule,
} from './records.ts'
import { placementFor } from './inventory-changes.ts'
import { advertiserFor } from './limit-changes.ts'
import { compileTargeting, encodeRule, withoutRule } from '../decide/targeting.ts'

export function putCampaign(index: DecisionIndex, record: Campaign): void {
  assertMicros(record.rateMicros)
  assertMicros(record.bidMicrosMax ?? 0)
  const detail = campaignFor(index, record.key)
  relist(index, candidatesOfCampaign(index, detail.row), () => {
    const advertiser = advertiserFor(index, record.advertiserKey)
    detail.categories = record.categories ?? NOTHING
    detail.adProduct = record.adProductCategory
    const { f64, i32 } = index.campaigns
    const at = detail.row * CAMPAIGN.width
    f64[at + CAMPAIGN.startsAt] = record.startsAtMs ?? -Infinity
    f64[at + CAMPAIGN.endsAt] = record.endsAtMs ?? Infinity
    i32[at * 2 + CAMPAIGN.advertiser] = advertiser
    i32[at * 2 + CAMPAIGN.priority] = record.priority
    i32[at * 2 + CAMPAIGN.currency] = wordNumber(index, record.currency)
    i32[at * 2 + CAMPAIGN.flags] = flagsOf(record) | spendVerdictFlags(index, record.key)
    writeTerms(index, detail.row, record)
    writeMultiplier(index, detail)
    compileRules(index, detail)
    for (const candidate of candidatesOfCampaign(index, detail.row))
      refreshCandidate(index, candidate)
  })
}

export function removeCampaign(index: DecisionIndex, key: number): void {
  const detail = findCampaign(index, key)
  if (detail === undefined) return
  relist(index, candidatesOfCampaign(index, detail.row), () => {
    index.campaigns.i32[detail.row * CAMPAIGN.width * 2 + CAMPAIGN.flags] = 0
    detail.categories = NOTHING
    detail.adProduct = undefined
  })
  releaseCampaign(index, detail)
}

export function putCampaignPlacement(index: DecisionIndex, link: CampaignPlacement): void {
  if (!link.active) return removeCampaignPlacement(index, link)
  const campaign = campaignFor(index, link.campaignKey)
  const placement = placementFor(index, link.placementKey)
  if (campaign.placements.includes(placement.row)) return
  relist(index, candidatesOfCampaign(index, campaign.row), () => {
    campaign.placements = [...campaign.placements, placement.row]
  })
}

export function removeCampaignPlacement(
  index: DecisionIndex,
  link: Pick<CampaignPlacement, 'campaignKey' | 'placementKey'>,
): void {
  const campaign = findCampaign(index, link.campaignKey)
  const row = index.placementRows.get(link.placementKey)
  if (campaign === undefined || row === undefined) return
  relist(index, candidatesOfCampaign(index, campaign.row), () => {
    campaign.placements = campaign.placements.filter((placement) => placement !== row)
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

export function putSpendVerdict(index: DecisionIndex, change: CampaignSpendVerdict): void {
  if (change.verdict === 'may-spend') index.spendVerdicts.delete(change.campaignKey)
  else index.spendVerdicts.set(change.campaignKey, change.verdict)
  const detail = findCampaign(index, change.campaignKey)
  if (detail === undefined) return
  relist(index, candidatesOfCampaign(index, detail.row), () => {
    const at = detail.row * CAMPAIGN.width * 2 + CAMPAIGN.flags
    const { i32 } = index.campaigns
    if (i32[at] !== 0) i32[at] = (i32[at]! & ~STOPPED_FLAGS) | spendVerdictFlags(index, detail.key)
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
  for (const candidate of candidatesOfCampaign(index, detail.row)) {
    rerank(index, candidate, () => refreshCandidate(index, candidate))
  }
}

function writeMultiplier(index: DecisionIndex, { row, key }: CampaignDetail): void {
  const { f64 } = index.campaignsCold
  const at = row * CAMPAIGN_COLD.width
  f64[at + CAMPAIGN_COLD.multiplier] =
    index.bidMultipliers.get(key) ?? f64[at + CAMPAIGN_COLD.ownMultiplier]!
}

function setRules(index: DecisionIndex, detail: CampaignDetail, rules: readonly number[]): void {
  relist(index, candidatesOfCampaign(index, detail.row), () => {
    detail.rules = rules
    compileRules(index, detail)
  })
}

function compileRules(index: DecisionIndex, detail: CampaignDetail): void {
  const compiled = compileTargeting(detail.rules, detail.categories, index.terms)
  const { i32 } = index.campaigns
  const at = detail.row * CAMPAIGN.width * 2
  index.programs.drop(i32[at + CAMPAIGN.programEnd]! - i32[at + CAMPAIGN.programStart]!)
  i32[at + CAMPAIGN.traits] = compiled.traits
  i32[at + CAMPAIGN.hours] = compiled.hours
  detail.anchors = compiled.anchors
  storeProgram(index, detail.row, compiled.program)
  if (index.programs.isWasteful) compactPrograms(index)
}

function storeProgram(index: DecisionIndex, row: number, program: readonly number[]): void {
  const start = index.programs.add(program)
  const { i32 } = index.campaigns
  i32[row * CAMPAIGN.width * 2 + CAMPAIGN.programStart] = start
  i32[row * CAMPAIGN.width * 2 + CAMPAIGN.programEnd] = start + program.length
}

function compactPrograms(index: DecisionIndex): void {
  const { i32 } = index.campaigns
  const kept = [...index.campaignRows.values()].map((row) => {
    const at = row * CAMPAIGN.width * 2
    const start = i32[at + CAMPAIGN.programStart]!
    const program = index.programs.pool.slice(start, i32[at + CAMPAIGN.programEnd])
    return { row, program: Array.from(program) }
  })
  index.programs.clear()
  for (const { row, program } of kept) storeProgram(index, row, program)
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

const STOPPED_FLAGS = CAMPAIGN_FLAG.exhausted | CAMPAIGN_FLAG.aheadOfPlan

function spendVerdictFlags(index: DecisionIndex, key: number): number {
  const verdict = index.spendVerdicts.get(key)
  if (verdict === 'exhausted') return CAMPAIGN_FLAG.exhausted
  return verdict === 'ahead-of-plan' ? CAMPAIGN_FLAG.aheadOfPlan : 0
}

function writeTerms(index: DecisionIndex, row: number, record: Campaign): void {
  const { f64 } = index.campaignsCold
  const at = row * CAMPAIGN_COLD.width
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

  const row = index.campaigns.take()
  if (index.campaignsCold.take() !== row) throw new Error('hot and cold rows have parted')
  const detail: CampaignDetail = {
    row,
    key,
    rules: NOTHING,
    categories: NOTHING,
    adProduct: undefined,
    placements: NOTHING,
    anchors: NOTHING,
  }
  index.campaignRows.set(key, row)
  index.campaignDetails[row] = detail
  const { f64, i32 } = index.campaigns
  f64[row * CAMPAIGN.width + CAMPAIGN.key] = key
  i32[row * CAMPAIGN.width * 2 + CAMPAIGN.firstCandidate] = NONE
  i32[row * CAMPAIGN.width * 2 + CAMPAIGN.firstCap] = index.campaignCaps.get(key) ?? NONE
  compileRules(index, detail)
  return detail
}

export function findCampaign(index: DecisionIndex, key: number): CampaignDetail | undefined {
  const row = index.campaignRows.get(key)
  return row === undefined ? undefined : index.campaignDetails[row]
}

/** Frees the row once nothing names the campaign any more. */
export function releaseCampaign(index: DecisionIndex, detail: CampaignDetail): void {
  if (detail.rules.length > 0 || detail.placements.length > 0) return
  const at = detail.row * CAMPAIGN.width * 2
  const { i32 } = index.campaigns
  if (i32[at + CAMPAIGN.flags] !== 0 || i32[at + CAMPAIGN.firstCandidate] !== NONE) return
  index.programs.drop(i32[at + CAMPAIGN.programEnd]! - i32[at + CAMPAIGN.programStart]!)
  index.campaignRows.delete(detail.key)
  index.campaignDetails[detail.row] = undefined
  index.campaigns.release(detail.row)
  index.campaignsCold.release(detail.row)
}
