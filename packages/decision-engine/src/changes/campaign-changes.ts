import { type CampaignDetail, type DecisionIndex, wordNumber } from '../columns/catalogue.ts'
import { NONE } from '../columns/candidate-rows.ts'
import { CAMPAIGN_FLAG } from '../columns/tables.ts'
import { relist, rerank } from '../columns/membership.ts'
import { candidatesOfCampaign, hasTarget, refreshCandidate } from '../columns/candidates.ts'
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
import { compileTargeting, encodeRule, UNKNOWN_PAGE, withoutRule } from '../decide/targeting.ts'

export function putCampaign(index: DecisionIndex, record: Campaign): void {
  assertMicros(record.rateMicros)
  assertMicros(record.bidMicrosMax ?? 0)
  assertMicros(record.targetMicros ?? 0)
  const detail = campaignFor(index, record.key)
  relist(index, candidatesOfCampaign(index, detail.row), () => {
    const advertiser = advertiserFor(index, record.advertiserKey)
    detail.categories = categoriesOf(record)
    detail.adProduct = record.adProductCategory
    detail.exclusionLabels = record.exclusionLabels ?? NOTHING
    index.campaigns.setStartsAt(detail.row, record.startsAtMs ?? -Infinity)
    index.campaigns.setEndsAt(detail.row, record.endsAtMs ?? Infinity)
    index.campaigns.setAdvertiser(detail.row, advertiser)
    index.campaigns.setPriority(detail.row, record.priority)
    index.campaigns.setCurrency(detail.row, wordNumber(index, record.currency))
    index.campaigns.setFlags(detail.row, flagsOf(record) | spendVerdictFlags(index, record.key))
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
    index.campaigns.setFlags(detail.row, 0)
    detail.categories = NOTHING
    detail.adProduct = undefined
    detail.exclusionLabels = NOTHING
  })
  releaseCampaign(index, detail)
}

export function putCampaignPlacement(index: DecisionIndex, record: CampaignPlacement): void {
  if (!record.active) return removeCampaignPlacement(index, record)
  const campaign = campaignFor(index, record.campaignKey)
  const placement = placementFor(index, record.placementKey)
  if (campaign.placements.includes(placement.row)) return
  relist(index, candidatesOfCampaign(index, campaign.row), () => {
    campaign.placements = [...campaign.placements, placement.row]
  })
}

export function removeCampaignPlacement(
  index: DecisionIndex,
  record: Pick<CampaignPlacement, 'campaignKey' | 'placementKey'>,
): void {
  const campaign = findCampaign(index, record.campaignKey)
  const row = index.placementRows.get(record.placementKey)
  if (campaign === undefined || row === undefined) return
  relist(index, candidatesOfCampaign(index, campaign.row), () => {
    campaign.placements = campaign.placements.filter((placement) => placement !== row)
  })
  releaseCampaign(index, campaign)
}

/** A rule never moves to another campaign. */
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
    const flags = index.campaigns.flags(detail.row)
    if (flags === 0) return
    const standing = spendVerdictFlags(index, detail.key)
    index.campaigns.setFlags(detail.row, (flags & ~STOPPED_FLAGS) | standing)
  })
}

export function putBidMultiplier(index: DecisionIndex, learned: BidMultiplier): void {
  const { campaignKey, multiplier, lift = 1, byTarget = false } = learned
  const isTurned = index.bidsByTarget.has(campaignKey) !== byTarget
  if (multiplier === undefined) index.bidMultipliers.delete(campaignKey)
  else index.bidMultipliers.set(campaignKey, multiplier)
  if (lift === 1) index.bidLifts.delete(campaignKey)
  else index.bidLifts.set(campaignKey, lift)
  if (byTarget) index.bidsByTarget.add(campaignKey)
  else index.bidsByTarget.delete(campaignKey)
  const detail = findCampaign(index, campaignKey)
  if (detail === undefined) return
  writeMultiplier(index, detail)
  const candidates = candidatesOfCampaign(index, detail.row)
  const refresh = (candidate: number) => refreshCandidate(index, candidate)
  // Bids by target have lists of their own.
  if (isTurned) relist(index, candidates, () => candidates.forEach(refresh))
  else for (const candidate of candidates) rerank(index, candidate, () => refresh(candidate))
}

/** A multiplier that was made for a target does not apply to bids. */
function writeMultiplier(index: DecisionIndex, { row, key }: CampaignDetail): void {
  const { campaigns, bidMultipliers, bidsByTarget } = index
  const learned = bidMultipliers.get(key)
  const isStray = bidsByTarget.has(key) && !hasTarget(index, row)
  const applies = learned !== undefined && !isStray
  campaigns.setMultiplier(row, applies ? learned : campaigns.ownMultiplier(row))
}

function setRules(index: DecisionIndex, detail: CampaignDetail, rules: readonly number[]): void {
  relist(index, candidatesOfCampaign(index, detail.row), () => {
    detail.rules = rules
    compileRules(index, detail)
  })
}

function compileRules(index: DecisionIndex, detail: CampaignDetail): void {
  const compiled = compileTargeting(detail.rules, detail.categories, index.terms)
  index.programs.drop(
    index.campaigns.programEnd(detail.row) - index.campaigns.programStart(detail.row),
  )
  index.campaigns.setTraits(detail.row, compiled.traits)
  index.campaigns.setHours(detail.row, compiled.hours)
  detail.anchors = compiled.anchors
  storeProgram(index, detail.row, compiled.program)
  if (index.programs.isWasteful) compactPrograms(index)
}

function storeProgram(index: DecisionIndex, row: number, program: readonly number[]): void {
  const start = index.programs.add(program)
  index.campaigns.setProgramStart(row, start)
  index.campaigns.setProgramEnd(row, start + program.length)
}

function compactPrograms(index: DecisionIndex): void {
  const kept = [...index.campaignRows.values()].map((row) => {
    const start = index.campaigns.programStart(row)
    const program = index.programs.pool.slice(start, index.campaigns.programEnd(row))
    return { row, program: Array.from(program) }
  })
  index.programs.clear()
  for (const { row, program } of kept) storeProgram(index, row, program)
}

function categoriesOf({ categories = NOTHING, runsOnUnknownPages }: Campaign): readonly string[] {
  if (categories.length === 0) return NOTHING
  return runsOnUnknownPages === true ? [...categories, UNKNOWN_PAGE] : categories
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
  index.campaigns.setBidMax(row, record.bidMicrosMax ?? NaN)
  index.campaigns.setOwnMultiplier(row, record.bidMultiplier)
  index.campaigns.setRate(row, record.rateMicros)
  index.campaigns.setTarget(row, record.targetMicros ?? 0)
}

/** Shared by campaigns without rules or placements, so that they hold no arrays. */
const NOTHING: readonly never[] = []

/** Rows may come in any order: the first one that names a campaign creates its row. */
export function campaignFor(index: DecisionIndex, key: number): CampaignDetail {
  const known = findCampaign(index, key)
  if (known !== undefined) return known

  const row = index.campaigns.take()
  const detail: CampaignDetail = {
    row,
    key,
    rules: NOTHING,
    categories: NOTHING,
    adProduct: undefined,
    exclusionLabels: NOTHING,
    placements: NOTHING,
    anchors: NOTHING,
  }
  index.campaignRows.set(key, row)
  index.campaignDetails[row] = detail
  index.campaigns.setKey(row, key)
  index.campaigns.setFirstCandidate(row, NONE)
  index.campaigns.setFirstCap(row, index.campaignCaps.get(key) ?? NONE)
  compileRules(index, detail)
  return detail
}

export function findCampaign(index: DecisionIndex, key: number): CampaignDetail | undefined {
  const row = index.campaignRows.get(key)
  return row === undefined ? undefined : index.campaignDetails[row]
}

/** Frees the row when no other row names the campaign. */
export function releaseCampaign(index: DecisionIndex, detail: CampaignDetail): void {
  if (detail.rules.length > 0 || detail.placements.length > 0) return
  if (
    index.campaigns.flags(detail.row) !== 0 ||
    index.campaigns.firstCandidate(detail.row) !== NONE
  )
    return
  index.programs.drop(
    index.campaigns.programEnd(detail.row) - index.campaigns.programStart(detail.row),
  )
  index.campaignRows.delete(detail.key)
  index.campaignDetails[detail.row] = undefined
  index.campaigns.release(detail.row)
}
