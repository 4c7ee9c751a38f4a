import {
  type BidPolicy,
  type CampaignTerms,
  Network,
  nextBid,
  type NextBid,
  SeedAgent,
  type Skills,
  WINDOWS_PER_DAY,
} from '@placard/learning'
import type { Random } from '../../../platform/random.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { forEachPart } from '../../../platform/set-aside/set-aside.ts'
import { stateWith } from './agent.ts'
import {
  type AgentCampaign,
  bookedByTarget,
  historyIn,
  type KeptPlan,
  termsOf,
  usualIn,
} from './bid-plan.ts'
import { type BudgetDay, budgetDayAt } from './budget-day.ts'
import { windowAt, windowStart } from './past-day.ts'
import {
  findSpent,
  listAgentCampaigns,
  listCharged,
  listRequests,
  listWins,
  type Quarter,
  type Span,
} from './reads-agents.ts'
import { type AgentRow, type KeptSkills, listAgents, saveAgent } from './store-agents.ts'
import { addWindows, listWindows, type WindowRow } from './store-windows.ts'

export interface AgentDeps {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
}

const CAMPAIGNS_PER_PAGE = 500
/** How far back an agent that was left alone catches up. */
const CATCH_UP_MS = 26 * 3_600_000

const ROUND = { reader: 'learning.step-agents', entity: 'campaigns' } as const
const keyOfCampaign = ({ campaignKey }: AgentCampaign) => campaignKey

/**
 * Every agent reads the quarter-hours that have ended and sets its multiplier. Returns how many
 * did.
 */
export async function stepAgents(deps: AgentDeps, signal?: AbortSignal): Promise<number> {
  let after = 0
  let stepped = 0
  for (;;) {
    const page = await listAgentCampaigns(deps.db, { after, limit: CAMPAIGNS_PER_PAGE })
    const round = { ...ROUND, rows: page, keyOf: keyOfCampaign }
    await forEachPart(deps, round, async (part) => {
      stepped += await stepPart(deps, part)
    })
    const last = page.at(-1)
    if (last === undefined || page.length < CAMPAIGNS_PER_PAGE || signal?.aborted) return stepped
    after = last.campaignKey
  }
}

interface Stepping {
  readonly campaign: AgentCampaign
  /** On the way to what the campaign's target asks for. */
  readonly agent: AgentRow
  /** The aim as it was chosen. */
  readonly aim: BidPolicy
  readonly plan: KeptPlan
  readonly day: BudgetDay
  readonly known: readonly WindowRow[]
  /** Spend of today, by the ledger. */
  readonly spentMicros: number
}

/** All or none: reads and computes everything before it saves anything. */
async function stepPart(deps: AgentDeps, page: readonly AgentCampaign[]): Promise<number> {
  const nowMs = deps.clock.now().getTime()
  const agents = await listAgents(
    deps.db,
    page.map(({ campaignKey }) => campaignKey),
  )
  const steppings: Stepping[] = []
  for (const campaign of page) {
    const { campaignKey } = campaign
    const kept = agents.get(campaignKey)
    if (kept?.plan === undefined) continue
    const agent = { ...kept, state: stateWith(kept.state, campaign.targetMicros !== null) }
    if (!isLearned(agent)) continue
    const day = budgetDayAt(campaign.timeZone, nowMs)
    const known = await listWindows(deps.db, { campaignKey, day: day.day })
    const spentMicros = await findSpent(deps.db, { campaignKey, day: day.day })
    steppings.push({
      campaign,
      agent,
      aim: kept.state.aim,
      plan: kept.plan,
      day,
      known,
      spentMicros,
    })
  }
  if (steppings.length === 0) return 0
  const facts = await gatherFacts(deps.db, steppings, nowMs)
  const steps = steppings.map((stepping) => stepOf(deps, stepping, facts))
  await deps.db.transaction(async (db) => {
    for (const step of steps) await saveStep(db, step)
  })
  return steppings.length
}

const isLearned = ({ state }: AgentRow) => state.base !== 'fixed' || state.trial !== undefined

type Facts = ReadonlyMap<string, Partial<WindowFacts>>
interface WindowFacts {
  readonly requests: number
  readonly wins: number
  readonly expected: number
  readonly value: number
  readonly conversions: number
  readonly clicks: number
  readonly charged: number
}

const keyOf = ({ campaignKey, startMs }: Quarter) => `${campaignKey} ${startMs}`

/** Reads the quarter-hours that are not recorded yet, for all campaigns at once. */
async function gatherFacts(
  db: Database,
  steppings: readonly Stepping[],
  nowMs: number,
): Promise<Facts> {
  const firsts = steppings.map(({ day, known }) => windowStart(day.startMs, nextWindow(known)))
  const fromMs = Math.max(nowMs - CATCH_UP_MS, Math.min(...firsts))
  const span: Span = { from: new Date(fromMs), to: new Date(nowMs) }
  const keys = steppings.map(({ campaign }) => campaign.campaignKey)
  const facts = new Map<string, Partial<WindowFacts>>()
  const found = [
    ...(await listRequests(db, span, keys)),
    ...(await listWins(db, span, keys)),
    ...(await listCharged(db, span, keys)),
  ]
  for (const quarter of found)
    facts.set(keyOf(quarter), { ...facts.get(keyOf(quarter)), ...quarter })
  return facts
}

const nextWindow = (known: readonly WindowRow[]) => (known.at(-1)?.window ?? -1) + 1

interface Step {
  readonly agent: AgentRow
  readonly day: BudgetDay
  readonly fresh: readonly WindowRow[]
  readonly now: Date
}

function stepOf(deps: AgentDeps, stepping: Stepping, facts: Facts): Step {
  const { day, known, aim } = stepping
  const now = deps.clock.now()
  const fresh = windowsSince(stepping, facts, windowAt(day.startMs, now.getTime()))
  const next = nextRow(deps, stepping, [...known, ...fresh])
  const agent = { ...next, state: { ...next.state, aim }, steppedAt: now }
  return { agent, day, fresh, now }
}

async function saveStep(db: Database, { agent, day, fresh, now }: Step): Promise<void> {
  // A concurrent save has seen the same facts.
  if (!(await saveAgent(db, agent, now))) return
  await addWindows(db, { campaignKey: agent.campaignKey, day: day.day }, fresh)
}

const AS_BOOKED: NextBid = { multiplier: 1, lift: 1, spendMax: Infinity }

/** The agent's next state after its day so far. */
function nextRow(deps: AgentDeps, stepping: Stepping, windows: readonly WindowRow[]): AgentRow {
  const { campaign, agent, plan, day, spentMicros } = stepping
  const terms = termsOf(campaign, usualIn(plan))
  const { skills, seedMultiplier } = liveSkills(deps, { agent, windows, terms, day })
  const reports = windows.map((window) => reportOf(window, campaign, plan))
  const say = (policy: BidPolicy | undefined): NextBid => {
    if (policy === undefined || policy === 'fixed') return AS_BOOKED
    // The plan is from before the target was set.
    if (policy === 'tcpa' && bookedByTarget(campaign, plan) === undefined) return AS_BOOKED
    const next = nextBid(policy, terms, { history: historyIn(plan), windows: reports, skills })
    if (policy !== 'dqn-seed') return next
    return { ...next, multiplier: Math.min(terms.multiplierMax, seedMultiplier), lift: 1 }
  }
  const [base, trial] = [say(agent.state.base), say(agent.state.trial)]
  const spendMax = Math.min(base.spendMax, trial.spendMax) * plan.deliveredShare
  return {
    ...agent,
    baseMultiplier: base.multiplier,
    trialMultiplier: trial.multiplier,
    baseLift: base.lift,
    trialLift: trial.lift,
    brake: { day: day.day, micros: Math.round(spentMicros + spendMax) },
    skills: skills.kept,
  }
}

/** Windows that have ended and are not recorded, with the multipliers that held in them. */
function windowsSince(
  { campaign, agent, day, known }: Stepping,
  facts: Facts,
  current: number,
): WindowRow[] {
  const windows: WindowRow[] = []
  for (let window = nextWindow(known); window < current; window++) {
    const startMs = windowStart(day.startMs, window)
    const found = facts.get(keyOf({ campaignKey: campaign.campaignKey, startMs })) ?? {}
    const hasActed =
      agent.steppedAt !== undefined && agent.steppedAt.getTime() <= startMs + GRACE_MS
    windows.push({
      window,
      startsAt: new Date(startMs),
      requests: found.requests ?? 0,
      wins: found.wins ?? 0,
      clicks: found.clicks ?? 0,
      value: valueOf(campaign, found),
      expectedMicros: Math.round(found.expected ?? 0),
      chargedMicros: Math.round(found.charged ?? 0),
      base: agent.state.base,
      trial: agent.state.trial,
      share: agent.state.share,
      baseMultiplier: hasActed ? agent.baseMultiplier : 1,
      trialMultiplier: hasActed ? agent.trialMultiplier : 1,
      baseLift: hasActed ? agent.baseLift : 1,
      trialLift: hasActed ? agent.trialLift : 1,
    })
  }
  return windows
}

/** The job may run some minutes after its quarter-hour. */
const GRACE_MS = 10 * 60_000

/** Predicted conversions with a target, else predicted clicks, or impressions. */
function valueOf({ pricing, targetMicros }: AgentCampaign, found: Partial<WindowFacts>): number {
  if (targetMicros !== null) return found.conversions ?? 0
  return (pricing === 'cpc' ? found.value : found.wins) ?? 0
}

/** A window as a policy sees it. In minutes of another policy that one's rank held. */
function reportOf(window: WindowRow, campaign: AgentCampaign, plan: KeptPlan) {
  const { share } = window
  const booked = bookedByTarget(campaign, plan) ?? 1
  const unitOf = (policy: BidPolicy | undefined) => (policy === 'tcpa' ? 1 : booked)
  const ln =
    (1 - share) * Math.log(window.baseMultiplier * window.baseLift * unitOf(window.base)) +
    share * Math.log(window.trialMultiplier * window.trialLift * unitOf(window.trial))
  return {
    requests: window.requests,
    wins: window.wins,
    spend: window.expectedMicros,
    charged: window.chargedMicros / plan.deliveredShare,
    value: isMixed(window) ? 0 : window.value,
    clicks: window.clicks,
    multiplier: Math.exp(ln),
  }
}

/** Part of what it brought was bid for as booked. */
const isMixed = ({ base, trial, share }: WindowRow): boolean =>
  (base === 'tcpa' || trial === 'tcpa') && (share === 1 ? trial : base) !== 'tcpa'

interface Living {
  readonly agent: AgentRow
  readonly windows: readonly WindowRow[]
  readonly terms: CampaignTerms
  readonly day: BudgetDay
}

/** The networks' current output. A `dqn-seed` agent learns one step when asked. */
function liveSkills(
  { random }: AgentDeps,
  { agent, windows, terms, day }: Living,
): { skills: Skills & { readonly kept: KeptSkills }; seedMultiplier: number } {
  const { residual, seed } = agent.skills
  const restored = residual && { ...residual, network: Network.restore(residual.network) }
  const { base, trial } = agent.state
  if (base !== 'dqn-seed' && trial !== 'dqn-seed') {
    return { skills: { residual: restored, kept: agent.skills }, seedMultiplier: 1 }
  }
  const seedAgent = new SeedAgent({ next: () => random.draw() })
  if (seed !== undefined) seedAgent.restore(seed.snapshot, seed.memory)
  const last = windows.at(-1)
  seedAgent.rollDay(day.number - 1, last?.clicks ?? 0)
  if (last !== undefined) seedAgent.step(seedFacts(windows, last, terms))
  const kept = {
    ...agent.skills,
    seed: { snapshot: seedAgent.snapshot(), memory: seedAgent.memory(SEED_MEMORY) },
  }
  return { skills: { residual: restored, kept }, seedMultiplier: seedAgent.multiplier }
}

/** Transitions of some days. */
const SEED_MEMORY = 256
const MILLE = 1_000

function seedFacts(windows: readonly WindowRow[], last: WindowRow, terms: CampaignTerms) {
  const charged = windows.reduce((sum, { chargedMicros }) => sum + chargedMicros, 0)
  return {
    impressions: last.wins,
    clicks: last.clicks,
    auctions: last.requests,
    spend: last.chargedMicros,
    budgetLeft: 1 - charged / terms.budget,
    timeLeft: 1 - (last.window + 1) / WINDOWS_PER_DAY,
    cpmMax: terms.bookedK * MILLE,
  }
}
