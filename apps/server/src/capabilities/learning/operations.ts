import type { BidPolicy } from '@placard/learning'
import type { Database } from '../../platform/database/connect.ts'
import { Problem } from '../../platform/problem.ts'
import type { Actor, ResourceDeps } from '../../platform/resources/index.ts'
import { listSwitches } from '../../platform/switches/store.ts'
import { aimAt, stateWith, withNetwork } from './agents/agent.ts'
import { isStale } from './agents/bid-agents.ts'
import { type AgentCampaign, multiplierMaxOf } from './agents/bid-plan.ts'
import { budgetDayAt } from './agents/budget-day.ts'
import { learningProblems } from './problems.ts'
import { findAgentCampaign } from './agents/reads-agents.ts'
import { listAgents, newAgentRow, saveAgent, type AgentRow } from './agents/store-agents.ts'
import { listJudgements } from './agents/store-judgements.ts'
import { type Evidence, findModel, findVerdict, type ModelRow } from './models/store-models.ts'
import { listTargetFacts, TARGET_DAYS } from './agents/target-facts.ts'
import { listWindows } from './agents/store-windows.ts'
import { LEARNING_SWITCH } from './switches.ts'

/** A campaign that the caller may see. */
export interface KnownCampaign {
  readonly id: bigint
  readonly accountId: bigint
  readonly publicId: string
}

export interface LearningDeps extends ResourceDeps {
  /** Throws a Problem for a campaign that the caller may not see. */
  getCampaign(db: Database, actor: Actor, campaignId: string): Promise<KnownCampaign>
}

const JUDGEMENTS_SHOWN = 50

/** Everything about how a campaign's bids are made. */
export async function getLearning(
  deps: LearningDeps,
  actor: Actor,
  { campaignId, day }: { readonly campaignId: string; readonly day?: string | undefined },
) {
  const { db, clock } = deps
  const known = await deps.getCampaign(db, actor, campaignId)
  const campaignKey = Number(known.id)
  const campaign = await findAgentCampaign(db, campaignKey)
  const kept = (await listAgents(db, [campaignKey])).get(campaignKey) ?? newAgentRow(campaignKey)
  const hasTarget = campaign?.targetMicros != null
  const agent = { ...kept, state: stateWith(kept.state, hasTarget) }
  const today = budgetDayAt(campaign?.timeZone ?? 'UTC', clock.now().getTime()).day
  const shownDay = day ?? today
  const judgements = await listJudgements(db, campaignKey, JUDGEMENTS_SHOWN)
  const isOn = await isLearningOn(db)
  const nowMs = clock.now().getTime()
  const isPredicted = !hasTarget || (await isConversionModelSound(db))
  const mayAct = isOn && campaign !== undefined && !isStale(agent, nowMs) && isPredicted
  const acting = mayAct && isLearned(agent)
  return {
    campaignId: known.publicId,
    agent,
    day: shownDay,
    isActing: acting,
    why: whyActing({
      agent,
      isOn,
      hasCampaign: campaign !== undefined,
      isStale: isStale(agent, nowMs),
      isPredicted,
      last: judgements[0]?.words,
    }),
    multiplierMax: campaign ? multiplierMaxOf(campaign) : null,
    target: campaign && hasTarget ? await targetCostOf(db, campaign, nowMs) : null,
    windows: await listWindows(db, { campaignKey, day: shownDay }),
    judgements,
  }
}

export type ShownLearning = Awaited<ReturnType<typeof getLearning>>

const isLearned = ({ state }: AgentRow) => state.base !== 'fixed' || state.share > 0

function whyActing(facts: {
  readonly agent: AgentRow
  readonly isOn: boolean
  readonly hasCampaign: boolean
  readonly isStale: boolean
  /** False: the campaign has a target, and the conversion model is not sound. */
  readonly isPredicted: boolean
  readonly last: string | undefined
}): string {
  if (!facts.isOn) return 'All learning is switched off: bids count as booked.'
  if (facts.agent.state.aim === 'fixed') return 'Bids count as booked, as somebody has decided.'
  if (!facts.hasCampaign) {
    return 'Bids count as booked: an agent needs a daily budget and an active ad in the auction.'
  }
  const last = facts.last ?? 'Nothing is judged yet: the gate looks at whole days.'
  if (!facts.isPredicted) {
    return 'Bids count as booked. A bid by target needs predicted conversions, and the conversion model has too few purchases, or is off.'
  }
  if (!isLearned(facts.agent)) return `Bids count as booked. ${last}`
  if (facts.isStale) return 'Bids count as booked: the agent has made no step for an hour.'
  return `${describeActing(facts.agent)} ${last}`
}

/** Which policy bids now, and for which share of the time. */
function describeActing({ state: { aim, base, trial, share } }: AgentRow): string {
  const usual = base === 'fixed' ? 'booked bids' : base
  if (trial !== undefined && share > 0) {
    if (share === 1) return `${trial} bids, on trial.${HOW[trial] ?? ''}`
    return `${trial} bids in ${Math.round(share * 100)} % of the minutes, ${usual} in the others.`
  }
  const waits = aim === 'dqn' && trial === undefined && base === 're-solve'
  if (waits) return `${base} bids; no network has been found that adds to it.`
  return `${base} bids.${HOW[base] ?? ''}`
}

/** How a policy makes its bids, where the name does not say it. */
const HOW: Partial<Record<BidPolicy, string>> = {
  tcpa: ' Each bid is the target cost × the multiplier × the predicted conversion rate, at most the maximum bid.',
}

/** What a purchase has cost, as the gate knows it. */
async function targetCostOf(db: Database, campaign: AgentCampaign, nowMs: number) {
  const facts = (await listTargetFacts(db, [campaign], nowMs)).get(campaign.campaignKey)!
  const { spend, purchases } = facts.all
  return {
    targetMicros: String(campaign.targetMicros),
    costMicros: purchases > 0 ? String(Math.round(spend / purchases)) : null,
    spentMicros: String(Math.round(spend)),
    purchases,
    correction: facts.correction,
    days: TARGET_DAYS,
  }
}

/** Sets the policy that a campaign aims at, in the caller's transaction. */
export async function setPolicy(
  deps: LearningDeps,
  actor: Actor,
  { campaignId, policy }: { readonly campaignId: string; readonly policy: BidPolicy },
): Promise<ShownLearning> {
  const { db, clock } = deps
  const known = await deps.getCampaign(db, actor, campaignId)
  const campaignKey = Number(known.id)
  const agent = (await listAgents(db, [campaignKey])).get(campaignKey) ?? newAgentRow(campaignKey)
  const hasTarget = (await findAgentCampaign(db, campaignKey))?.targetMicros != null
  refuseMisfit(policy, hasTarget)
  const state = withNetwork(aimAt(agent.state, policy), agent.skills.residual !== undefined)
  if (!(await saveAgent(db, { ...agent, state }, clock.now()))) {
    throw new Problem(learningProblems.changed, `campaign ${campaignId}`)
  }
  await deps.audit(db, {
    actor,
    accountId: known.accountId,
    action: 'set-bid-policy',
    entity: 'campaigns',
    entityId: known.publicId,
    before: agent.state,
    after: state,
  })
  return getLearning(deps, actor, { campaignId })
}

/** With a target, bids follow it or are as booked; without one they cannot follow it. */
function refuseMisfit(policy: BidPolicy, hasTarget: boolean): void {
  if (policy === 'tcpa' && !hasTarget) {
    throw new Problem(learningProblems.noTarget, 'The campaign has no target for its agent.')
  }
  if (hasTarget && policy !== 'tcpa' && policy !== 'fixed') {
    throw new Problem(learningProblems.hasTarget, `The wish is ${policy}.`)
  }
}

export interface ShownModel extends ModelRow {
  readonly evidence: Evidence
  readonly isOn: boolean
}

export async function listModels(db: Database): Promise<readonly ShownModel[]> {
  const isOn = await isLearningOn(db)
  const models: ShownModel[] = []
  for (const evidence of ['click', 'conversion'] as const) {
    const model = await findModel(db, evidence)
    if (model !== undefined) models.push({ ...model, evidence, isOn })
  }
  return models
}

const isConversionModelSound = async (db: Database): Promise<boolean> =>
  (await findVerdict(db, 'conversion')) === 'sound'

const isLearningOn = async (db: Database): Promise<boolean> =>
  (await listSwitches(db, [LEARNING_SWITCH]))[0]!.isOn
