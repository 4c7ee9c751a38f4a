import { DAY_MS, MINUTE_MS } from '@placard/calendar'
import type { CostFacts } from '@placard/learning'
import type { Database } from '../../../platform/database/connect.ts'
import type { AgentCampaign } from './bid-plan.ts'
import { actsInMinute } from './bid-agents.ts'
import { budgetDayAt } from './budget-day.ts'
import { windowAt } from './past-day.ts'
import { type CostMinute, listCostMinutes } from './reads-costs.ts'
import { listWindows, type WindowRow } from './store-windows.ts'

/** What the last days say of a campaign's cost per purchase. */
export interface TargetFacts {
  /** Purchases that came over those that were predicted. */
  readonly correction: number
  readonly all: Pick<CostFacts, 'spend' | 'purchases'>
  /** In the minutes in which it bid by target. */
  readonly own: CostFacts
}

export const TARGET_DAYS = 7
/** A purchase may come a day after its click. */
const LAG_MS = DAY_MS
/** The belief that predictions are right weighs as much as so many purchases. */
const PRIOR_PURCHASES = 5
/** Of its own minutes, the belief that all clicks tell the same. */
const OWN_PRIOR_PURCHASES = 15
const CORRECTION_MIN = 0.4
const CORRECTION_MAX = 2.5

/** Of campaigns with a target, by campaign. */
export async function listTargetFacts(
  db: Database,
  campaigns: readonly AgentCampaign[],
  nowMs: number,
): Promise<ReadonlyMap<number, TargetFacts>> {
  const withTarget = campaigns.filter(({ targetMicros }) => targetMicros !== null)
  if (withTarget.length === 0) return new Map()
  const to = nowMs - LAG_MS
  const span = { from: new Date(to - TARGET_DAYS * DAY_MS), to: new Date(to) }
  const keys = withTarget.map(({ campaignKey }) => campaignKey)
  const minutes = Map.groupBy(
    await listCostMinutes(db, span, keys),
    ({ campaignKey }) => campaignKey,
  )
  const facts = new Map<number, TargetFacts>()
  for (const campaign of withTarget) {
    const own = minutes.get(campaign.campaignKey) ?? []
    facts.set(campaign.campaignKey, await factsOf(db, campaign, own))
  }
  return facts
}

async function factsOf(
  db: Database,
  campaign: AgentCampaign,
  minutes: readonly CostMinute[],
): Promise<TargetFacts> {
  const byTarget = await bidByTargetIn(db, campaign, minutes)
  return {
    correction: correctionOf(minutes, byTarget),
    all: totalOf(minutes),
    own: {
      ...totalOf(byTarget),
      minutes: byTarget.length,
      targetMicros: campaign.targetMicros!,
    },
  }
}

const totalOf = (minutes: readonly CostMinute[]) => ({
  spend: sum(minutes, ({ spend }) => spend),
  purchases: sum(minutes, ({ purchases }) => purchases),
})

/**
 * Bids by target win where predictions are too high more often than where they are too low. So their own
 * minutes count first; what all clicks say is worth some purchases beside them.
 */
export function correctionOf(all: readonly CostMinute[], byTarget: readonly CostMinute[]): number {
  const usual = came(all, { correction: 1, purchases: PRIOR_PURCHASES })
  const own = came(byTarget, { correction: usual, purchases: OWN_PRIOR_PURCHASES })
  return Math.min(CORRECTION_MAX, Math.max(CORRECTION_MIN, own))
}

/** Purchases over predictions, from the first prediction on, beside a belief that is worth so many purchases. */
function came(
  minutes: readonly CostMinute[],
  belief: { readonly correction: number; readonly purchases: number },
): number {
  const predicted = minutes.filter((one) => one.predicted > 0)
  const first = Math.min(...predicted.map(({ minute }) => minute))
  const since = minutes.filter(({ minute }) => minute >= first)
  return (
    (sum(since, ({ purchases }) => purchases) + belief.correction * belief.purchases) /
    (sum(since, (one) => one.predicted) + belief.purchases)
  )
}

/** The minutes in which the policy on turn was `tcpa`. */
async function bidByTargetIn(
  db: Database,
  { campaignKey, timeZone }: AgentCampaign,
  minutes: readonly CostMinute[],
): Promise<readonly CostMinute[]> {
  const days = Map.groupBy(minutes, ({ minute }) => budgetDayAt(timeZone, minute * MINUTE_MS).day)
  const found: CostMinute[] = []
  for (const [day, ofDay] of days) {
    const windows = await listWindows(db, { campaignKey, day })
    const byNumber = new Map(windows.map((one) => [one.window, one]))
    for (const one of ofDay) {
      const { startMs } = budgetDayAt(timeZone, one.minute * MINUTE_MS)
      const window = byNumber.get(windowAt(startMs, one.minute * MINUTE_MS))
      if (window !== undefined && hasBidByTarget(window, one)) found.push(one)
    }
  }
  return found
}

function hasBidByTarget({ base, trial, share }: WindowRow, { campaignKey, minute }: CostMinute) {
  const isTrial = trial !== undefined && actsInMinute(campaignKey, minute, share)
  return (isTrial ? trial : base) === 'tcpa'
}

const sum = <One>(all: readonly One[], of: (one: One) => number): number =>
  all.reduce((total, one) => total + of(one), 0)
