import type { BidPolicy, NetworkSnapshot, SeedMemory, SeedSnapshot } from '@placard/learning'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { type AgentState, NEW_AGENT } from './agent.ts'
import type { KeptPlan } from './bid-plan.ts'

/** What an agent has learned and keeps between runs. */
export interface KeptSkills {
  readonly residual?: { readonly network: NetworkSnapshot; readonly margin: number } | undefined
  readonly seed?: { readonly snapshot: SeedSnapshot; readonly memory: SeedMemory } | undefined
}

export interface AgentRow {
  readonly campaignKey: number
  readonly state: AgentState
  readonly baseMultiplier: number
  readonly trialMultiplier: number
  /** Factor on the rank of a bid, not on its price. */
  readonly baseLift: number
  readonly trialLift: number
  /** What may be spent of a budget day until the next step. */
  readonly brake: { readonly day: string; readonly micros: number } | undefined
  readonly plan: KeptPlan | undefined
  readonly skills: KeptSkills
  /** 0 until the first row is saved. */
  readonly version: number
  readonly steppedAt: Date | undefined
  readonly judgedAt: Date | undefined
}

export const newAgentRow = (campaignKey: number): AgentRow => ({
  campaignKey,
  state: NEW_AGENT,
  baseMultiplier: 1,
  trialMultiplier: 1,
  baseLift: 1,
  trialLift: 1,
  brake: undefined,
  plan: undefined,
  skills: {},
  version: 0,
  steppedAt: undefined,
  judgedAt: undefined,
})

const BARE = sql.raw(
  `campaign_id, aim, base, trial, share, judged, base_multiplier, trial_multiplier, base_lift, trial_lift,
   brake_day::text, brake_micros::float8, version, stepped_at, judged_at`,
)

/** The agents of these campaigns, with all they know. */
export async function listAgents(
  db: Database,
  campaignKeys: readonly number[],
): Promise<ReadonlyMap<number, AgentRow>> {
  const { rows } = await db.execute<StoredAgent>(
    sql`select ${BARE}, plan, skills from bid_agents where campaign_id = any (${idList(campaignKeys)})`,
  )
  return new Map(rows.map((row) => [Number(row.campaign_id), rowOf(row)]))
}

/** What decisions need of the agents that bid, all or some. */
export async function listBidding(
  db: Database,
  campaignKeys?: readonly number[],
): Promise<readonly AgentRow[]> {
  const some =
    campaignKeys === undefined ? sql`true` : sql`campaign_id = any (${idList(campaignKeys)})`
  const { rows } = await db.execute<StoredAgent>(sql`select ${BARE} from bid_agents where ${some}`)
  return rows.map(rowOf)
}

/** False if another process saved meanwhile. Then nothing is changed. */
export async function saveAgent(db: Database, agent: AgentRow, at: Date): Promise<boolean> {
  const { campaignKey, state, version } = agent
  const values = sql`${state.aim}, ${state.base}, ${state.trial ?? null}, ${state.share},
    ${state.judged}, ${agent.baseMultiplier}, ${agent.trialMultiplier}, ${agent.baseLift},
    ${agent.trialLift}, ${agent.brake?.day ?? null}::date, ${agent.brake?.micros ?? null}::bigint,
    ${version + 1},
    ${agent.steppedAt?.toISOString() ?? null}::timestamptz,
    ${agent.judgedAt?.toISOString() ?? null}::timestamptz, ${json(agent.plan)}::jsonb,
    ${json(agent.skills)}::jsonb, ${at.toISOString()}::timestamptz`
  const columns = sql.raw(
    `aim, base, trial, share, judged, base_multiplier, trial_multiplier, base_lift, trial_lift, brake_day,
     brake_micros, version, stepped_at, judged_at, plan, skills, updated_at`,
  )
  const { rowCount } =
    version === 0
      ? await db.execute(
          sql`insert into bid_agents (campaign_id, ${columns}) values (${campaignKey}, ${values})
              on conflict do nothing`,
        )
      : await db.execute(
          sql`update bid_agents set (${columns}) = row (${values})
               where campaign_id = ${campaignKey} and version = ${version}`,
        )
  return rowCount === 1
}

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
const idList = (keys: readonly number[]) => sql`${`{${keys.join()}}`}::bigint[]`

type StoredAgent = {
  campaign_id: string
  aim: BidPolicy
  base: BidPolicy
  trial: BidPolicy | null
  share: number
  judged: number
  base_multiplier: number
  trial_multiplier: number
  base_lift: number
  trial_lift: number
  brake_day: string | null
  brake_micros: number | null
  version: number
  stepped_at: string | null
  judged_at: string | null
  plan?: KeptPlan | null
  skills?: KeptSkills | null
}

const rowOf = (row: StoredAgent): AgentRow => ({
  campaignKey: Number(row.campaign_id),
  state: {
    aim: row.aim,
    base: row.base,
    trial: row.trial ?? undefined,
    share: row.share,
    judged: row.judged,
  },
  baseMultiplier: row.base_multiplier,
  trialMultiplier: row.trial_multiplier,
  baseLift: row.base_lift,
  trialLift: row.trial_lift,
  brake: brakeOf(row),
  plan: row.plan ?? undefined,
  skills: row.skills ?? {},
  version: row.version,
  steppedAt: dateOf(row.stepped_at),
  judgedAt: dateOf(row.judged_at),
})

const brakeOf = ({ brake_day: day, brake_micros: micros }: StoredAgent): AgentRow['brake'] =>
  day === null || micros === null ? undefined : { day, micros }

const dateOf = (value: string | null): Date | undefined =>
  value === null ? undefined : new Date(value)
