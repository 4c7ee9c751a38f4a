import {
  type BidPolicy,
  type CampaignTerms,
  forecastTraffic,
  type GateJudgement,
  historyOf,
  judgeCost,
  judgeGate,
  judgeTrial,
  Network,
  NEVER_WON,
  PRICE_MAX,
  replayPast,
  SeedAgent,
  type Skills,
  trainingSteps,
  type TrialMinute,
} from '@placard/learning'
import type { Ids } from '../../../platform/ids.ts'
import type { AuditEntry } from '../../../platform/resources/index.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { forEachPart, forEachRow } from '../../../platform/set-aside/set-aside.ts'
import {
  afterBase,
  afterTrial,
  type AgentMove,
  type AgentState,
  type LiveJudgement,
  sayDecision,
  stateWith,
  withConversions,
  withNetwork,
} from './agent.ts'
import { type AgentCampaign, planOf, termsOf, usualDay } from './bid-plan.ts'
import { budgetDayAt, daysBefore } from './budget-day.ts'
import { learningActor } from './learning-actor.ts'
import type { AgentDeps } from './operations-step.ts'
import { keepDays, listTrialMinutes } from './operations-keep.ts'
import type { KeptDay } from './past-day.ts'
import { loadAdRates } from '../models/ad-rates.ts'
import { listAgentCampaigns } from './reads-agents.ts'
import {
  type AgentRow,
  type KeptSkills,
  listAgents,
  newAgentRow,
  saveAgent,
} from './store-agents.ts'
import { addJudgement, type Judged } from './store-judgements.ts'
import { listPastDays } from './store-windows.ts'
import { listTargetFacts, type TargetFacts } from './target-facts.ts'

export interface JudgeDeps extends AgentDeps {
  readonly ids: Ids
  audit(db: Database, entry: AuditEntry): Promise<void>
}

const CAMPAIGNS_PER_PAGE = 200
/** Number of past days to replay. */
const DAYS = 7
/** A day with fewer winnable auctions says nothing. */
const AUCTIONS_MIN = 20

const ROUND = { reader: 'learning.judge-agents', entity: 'campaigns' } as const
const keyOfCampaign = ({ campaignKey }: AgentCampaign) => campaignKey

/** Once a day per campaign: keeps its last day for replay, judges its policies and moves them. */
export async function judgeAgents(deps: JudgeDeps, signal?: AbortSignal): Promise<number> {
  let after = 0
  let judged = 0
  for (;;) {
    const page = await listAgentCampaigns(deps.db, { after, limit: CAMPAIGNS_PER_PAGE })
    judged += await judgePage(deps, page, signal)
    const last = page.at(-1)
    if (last === undefined || page.length < CAMPAIGNS_PER_PAGE || signal?.aborted) return judged
    after = last.campaignKey
  }
}

/** Reads the data of all campaigns at once, then judges each. Returns how many. */
async function judgePage(
  deps: JudgeDeps,
  page: readonly AgentCampaign[],
  signal?: AbortSignal,
): Promise<number> {
  const rows: Due[] = []
  const reading = { ...ROUND, reader: 'learning.keep-days', rows: page, keyOf: keyOfCampaign }
  await forEachPart(deps, reading, async (part) => void rows.push(...(await readDue(deps, part))))
  let judged = 0
  const keyOf = ({ campaign }: Due) => campaign.campaignKey
  await forEachRow(deps, { ...ROUND, rows, keyOf }, async (due) => {
    if (signal?.aborted === true) return
    await judgeCampaign(deps, due)
    judged++
  })
  return judged
}

/** Campaigns that are due, with their days and what their trials did. */
async function readDue(deps: JudgeDeps, page: readonly AgentCampaign[]): Promise<readonly Due[]> {
  const nowMs = deps.clock.now().getTime()
  const agents = await listAgents(
    deps.db,
    page.map(({ campaignKey }) => campaignKey),
  )
  const due = page.flatMap((campaign) => {
    const kept = agents.get(campaign.campaignKey) ?? newAgentRow(campaign.campaignKey)
    const hasTarget = campaign.targetMicros !== null
    const agent = { ...kept, state: stateWith(kept.state, hasTarget) }
    return isDue(campaign, agent, nowMs) ? [{ campaign, agent, chosen: kept.state.aim }] : []
  })
  const campaigns = due.map(({ campaign }) => campaign)
  const hasTargets = campaigns.some(({ targetMicros }) => targetMicros !== null)
  const rates = hasTargets ? await loadAdRates(deps.db) : undefined
  await keepDays(deps.db, campaigns, { nowMs, days: DAYS, rates })
  const minutes = await listTrialMinutes(deps.db, due, nowMs)
  const facts = await listTargetFacts(deps.db, campaigns, nowMs)
  return due.map((one) => ({
    ...one,
    minutes: minutes.get(one.campaign.campaignKey) ?? [],
    targetFacts: facts.get(one.campaign.campaignKey),
    isPredicted: rates !== undefined,
  }))
}

/** Not judged today, and aiming higher than booked bids. */
function isDue({ timeZone }: AgentCampaign, { state, judgedAt }: AgentRow, nowMs: number): boolean {
  if (state.aim === 'fixed') return false
  return judgedAt === undefined || judgedAt.getTime() < budgetDayAt(timeZone, nowMs).startMs
}

interface Due {
  readonly campaign: AgentCampaign
  /** On the way to what the campaign's target asks for. */
  readonly agent: AgentRow
  /** The aim as it was chosen. */
  readonly chosen: BidPolicy
  readonly minutes: readonly TrialMinute[]
  readonly targetFacts: TargetFacts | undefined
  /** Whether conversions can be predicted. */
  readonly isPredicted: boolean
}

async function judgeCampaign(deps: JudgeDeps, due: Due): Promise<void> {
  const { campaign, agent, targetFacts } = due
  const days = await daysToReplay(deps, campaign)
  const usual = usualDay(days, targetFacts?.correction)
  const terms = termsOf(campaign, usual)
  const skills = await train(deps, { agent, terms, days })
  const hasNetwork = skills.residual !== undefined
  const able = withConversions(withNetwork(agent.state, hasNetwork), due.isPredicted)
  const bench = { days, terms, skills, deps, live: liveOf(due) }
  const verdicts = mayJudge(due) ? decide(able, bench) : { state: able, made: [] }
  const judgedAt = deps.clock.now()
  const state = withConversions(withNetwork(verdicts.state, hasNetwork), due.isPredicted)
  const row: AgentRow = {
    ...agent,
    ...promotedBids(agent, verdicts.made),
    state: { ...state, aim: due.chosen },
    skills,
    judgedAt,
    plan: days.length === 0 ? undefined : planOf(historyOf(days, terms.target), usual),
  }
  await deps.db.transaction(async (db) => {
    if (!(await saveAgent(db, row, judgedAt))) return
    for (const made of verdicts.made) await write({ ...deps, db }, campaign, { ...made, judgedAt })
  })
}

/** The last days, as far as they say something; with a target, as far as their conversions are predicted. */
async function daysToReplay(deps: JudgeDeps, campaign: AgentCampaign): Promise<readonly KeptDay[]> {
  const nowMs = deps.clock.now().getTime()
  const first = daysBefore(campaign.timeZone, nowMs, DAYS)[0]!.day
  const today = budgetDayAt(campaign.timeZone, nowMs).day
  const kept = await listPastDays(deps.db, { campaignKey: campaign.campaignKey, day: first })
  const days = kept.filter((one) => one.day < today && saysSomething(one))
  if (campaign.targetMicros === null) return days
  return days.filter(({ conversionRates }) => conversionRates !== undefined)
}

/** While conversions cannot be predicted, an agent that bids by target bids as booked. */
const mayJudge = ({ campaign, isPredicted }: Due): boolean =>
  campaign.targetMicros === null || isPredicted

/** What the policy's own minutes say: with a target, what a purchase really cost. */
function liveOf({ minutes, targetFacts }: Due): LiveJudgement | undefined {
  if (targetFacts !== undefined) {
    return targetFacts.own.minutes === 0 ? undefined : judgeCost(targetFacts.own)
  }
  return minutes.length === 0 ? undefined : judgeTrial(minutes)
}

/** A promoted trial keeps its bids as the new base. */
const promotedBids = (agent: AgentRow, made: readonly Made[]): Partial<AgentRow> =>
  made.some(({ move }) => move === 'promote')
    ? { baseMultiplier: agent.trialMultiplier, baseLift: agent.trialLift }
    : {}

const saysSomething = ({ auctions }: KeptDay) =>
  auctions.price.reduce((count, price) => count + (price < NEVER_WON ? 1 : 0), 0) >= AUCTIONS_MIN

interface Study {
  readonly agent: AgentRow
  readonly terms: CampaignTerms
  readonly days: readonly KeptDay[]
}

const EPISODES = 120
const UPDATES_PER_EPISODE = 24
/** Training budgets, as shares of four times its own. */
const RATIOS = [1 / 8, 1 / 4, 1 / 2]
const FULL_BUDGET = 4
const TRAINING_DAYS_MIN = 2

/** Trains the residual if the aim needs it. Yields after each episode. */
async function train(deps: JudgeDeps, { agent, terms, days }: Study): Promise<KeptSkills> {
  const { aim, base } = agent.state
  if (aim !== 'dqn' || base === 'fixed' || days.length < TRAINING_DAYS_MIN) return agent.skills
  const seen = days.map((day) => {
    const { curve, requests } = historyOf(days.filter((other) => other !== day))
    const scaled = requests.map((one) => one.map((count) => count * day.sampledShare))
    return {
      auctions: day.auctions,
      curve,
      traffic: forecastTraffic(scaled),
      fullBudget: FULL_BUDGET * terms.budget * day.sampledShare,
    }
  })
  const settings = {
    episodes: EPISODES,
    updatesPerEpisode: UPDATES_PER_EPISODE,
    bidMax: PRICE_MAX,
    ratios: RATIOS,
  }
  const steps = trainingSteps(seen, settings, { next: () => deps.random.draw() })
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) {
      const { network, margin, gain } = value
      return { ...agent.skills, residual: gain > 0 ? { network, margin } : undefined }
    }
    await new Promise(setImmediate)
  }
}

interface Bench {
  readonly days: readonly KeptDay[]
  readonly terms: CampaignTerms
  readonly skills: KeptSkills
  readonly live: LiveJudgement | undefined
  readonly deps: JudgeDeps
}

type Made = Omit<Judged, 'judgedAt'>

/** First the base against booked bids, then the trial against the base. */
function decide(
  before: AgentState,
  bench: Bench,
): { readonly state: AgentState; readonly made: readonly Made[] } {
  const made: Made[] = []
  let state = before
  if (state.base !== 'fixed') {
    const judgement = compare(bench, state.base, 'fixed')
    const live = state.base === 'tcpa' ? bench.live : undefined
    state = afterBase(state, judgement, live)
    if (state !== before) {
      made.push(
        judgementOf({ judgement, live }, 'roll-back', {
          policy: before.base,
          base: 'fixed',
          from: 1,
          to: 0,
        }),
      )
      return { state, made }
    }
  }
  if (state.trial === undefined) return { state, made }
  const judgement = compare(bench, state.trial, state.base)
  const { live } = bench
  const moved = afterTrial(state, judgement, live)
  const { trial: policy, base, share: from } = state
  const to = moved.move === 'promote' ? 1 : moved.state.share
  made.push(judgementOf({ judgement, live }, moved.move, { policy, base, from, to }))
  return { state: moved.state, made }
}

interface Changed {
  readonly policy: BidPolicy
  readonly base: BidPolicy
  readonly from: number
  readonly to: number
}

interface Found {
  readonly judgement: GateJudgement
  readonly live?: LiveJudgement | undefined
}

const judgementOf = (found: Found, move: AgentMove, { policy, base, from, to }: Changed): Made => ({
  ...found.judgement,
  live: found.live,
  policy,
  base,
  move,
  shareBefore: from,
  shareAfter: to,
  words: sayDecision(found, [move, { policy, before: from, after: to }]),
})

const NOTHING_WON = { base: 0, policy: 0 }

/**
 * Replays both policies on every past day, each day trained on the others. A single day has no
 * others.
 */
function compare({ days, terms, skills, deps }: Bench, policy: BidPolicy, base: BidPolicy) {
  if (days.length < TRAINING_DAYS_MIN) return judgeGate(days.map(() => NOTHING_WON))
  const replayed = days.map((day) => {
    const others = historyOf(
      days.filter((other) => other !== day),
      terms.target,
    )
    const value = (name: BidPolicy) =>
      replayPast(name, terms, { day, others, skills: ready(skills, deps) })
    return { base: value(base), policy: value(policy) }
  })
  return judgeGate(replayed)
}

/** Copies of the skills for one replay: a `dqn-seed` agent learns while it plays. */
function ready({ residual, seed }: KeptSkills, { random }: JudgeDeps): Skills {
  const seedAgent = new SeedAgent({ next: () => random.draw() })
  if (seed !== undefined) seedAgent.restore(seed.snapshot, seed.memory)
  return {
    seedAgent,
    residual: residual && { ...residual, network: Network.restore(residual.network) },
  }
}

async function write(
  { db, audit, ids }: JudgeDeps,
  campaign: AgentCampaign,
  judged: Judged,
): Promise<void> {
  await addJudgement(db, campaign.campaignKey, judged)
  if (judged.move === 'stay') return
  await audit(db, {
    actor: learningActor(ids),
    accountId: campaign.accountId,
    action: 'move-bid-policy',
    entity: 'campaigns',
    entityId: campaign.publicId,
    before: { policy: judged.policy, share: judged.shareBefore },
    after: { policy: judged.policy, share: judged.shareAfter, why: judged.words },
  })
}
