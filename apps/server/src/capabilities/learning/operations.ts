import type { BidPolicy } from '@placard/learning'
import type { Database } from '../../platform/database/connect.ts'
import { Problem } from '../../platform/problem.ts'
import type { Actor, ResourceDeps } from '../../platform/resources/index.ts'
import { listSwitches } from '../../platform/switches/store.ts'
import { aimAt, withNetwork } from './agents/agent.ts'
import { isStale } from './agents/bid-agents.ts'
import { multiplierMaxOf } from './agents/bid-plan.ts'
import { budgetDayAt } from './agents/budget-day.ts'
import { learningProblems } from './problems.ts'
import { findAgentCampaign } from './agents/reads-agents.ts'
import { listAgents, newAgentRow, saveAgent, type AgentRow } from './agents/store-agents.ts'
import { listJudgements } from './agents/store-judgements.ts'
import { type Evidence, findModel, type ModelRow } from './models/store-models.ts'
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
  const agent = (await listAgents(db, [campaignKey])).get(campaignKey) ?? newAgentRow(campaignKey)
  const today = budgetDayAt(campaign?.timeZone ?? 'UTC', clock.now().getTime()).day
  const shownDay = day ?? today
  const judgements = await listJudgements(db, campaignKey, JUDGEMENTS_SHOWN)
  const isOn = await isLearningOn(db)
  const nowMs = clock.now().getTime()
  const acting = isOn && campaign !== undefined && isLearned(agent) && !isStale(agent, nowMs)
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
      last: judgements[0]?.words,
    }),
    multiplierMax: campaign ? multiplierMaxOf(campaign) : null,
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
  readonly last: string | undefined
}): string {
  if (!facts.isOn) return 'All learning is switched off: bids count as booked.'
  if (facts.agent.state.aim === 'fixed') return 'Bids count as booked, as somebody has decided.'
  if (!facts.hasCampaign) {
    return 'Bids count as booked: an agent needs a daily budget and an active ad in the auction.'
  }
  const last = facts.last ?? 'Nothing is judged yet: the gate looks at whole days.'
  if (!isLearned(facts.agent)) return `Bids count as booked. ${last}`
  if (facts.isStale) return 'Bids count as booked: the agent has made no step for an hour.'
  return `${describeActing(facts.agent)} ${last}`
}

/** Which policy bids now, and for which share of the time. */
function describeActing({ state: { aim, base, trial, share } }: AgentRow): string {
  const usual = base === 'fixed' ? 'booked bids' : base
  if (trial !== undefined && share > 0) {
    if (share === 1) return `${trial} bids, on trial.`
    return `${trial} bids in ${Math.round(share * 100)} % of the minutes, ${usual} in the others.`
  }
  const waits = aim === 'dqn' && trial === undefined && base === 're-solve'
  return waits ? `${base} bids; no network has been found that adds to it.` : `${base} bids.`
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

const isLearningOn = async (db: Database): Promise<boolean> =>
  (await listSwitches(db, [LEARNING_SWITCH]))[0]!.isOn
