import type { Row } from '../../../platform/database/row.ts'
import type { BidPolicy, GateJudgement, TrialJudgement } from '@placard/learning'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { AgentMove } from './agent.ts'

/** A verdict of the gate on a policy, what followed, and both in words. */
export interface Judged extends GateJudgement {
  readonly judgedAt: Date
  readonly policy: BidPolicy
  readonly base: BidPolicy
  readonly move: AgentMove
  readonly shareBefore: number
  readonly shareAfter: number
  readonly words: string
  /** The verdict of the trial's own minutes, if it had any. */
  readonly live?: TrialJudgement | undefined
}

export async function addJudgement(
  db: Database,
  campaignKey: number,
  judged: Judged,
): Promise<void> {
  const { policy, base, verdict, days, move, shareBefore, shareAfter, words } = judged
  await db.execute(sql`
    insert into bid_judgements (campaign_id, judged_at, policy, base, verdict, days, gain, low, high,
           move, share_before, share_after, words, minutes, live_gain, live_low, live_high)
    values (${campaignKey}, ${judged.judgedAt.toISOString()}::timestamptz, ${policy}, ${base},
            ${verdict}, ${days}, ${finite(judged.gain)}, ${finite(judged.low)}, ${finite(judged.high)},
            ${move}, ${shareBefore}, ${shareAfter}, ${words}, ${judged.live?.minutes ?? null},
            ${finite(judged.live?.gain)}, ${finite(judged.live?.low)}, ${finite(judged.live?.high)})`)
}

const finite = (value = Number.NaN): number | null => (Number.isFinite(value) ? value : null)

export interface JudgementRow extends Omit<Judged, 'gain' | 'low' | 'high' | 'live'> {
  readonly gain: number | null
  readonly low: number | null
  readonly high: number | null
  readonly minutes: number | null
  readonly liveGain: number | null
  readonly liveLow: number | null
  readonly liveHigh: number | null
}

/** Newest first. */
export async function listJudgements(
  db: Database,
  campaignKey: number,
  limit: number,
): Promise<JudgementRow[]> {
  const { rows } = await db.execute<Row<JudgementRow>>(sql`
    select judged_at as "judgedAt", policy, base, verdict, days, gain, low, high, move,
           share_before as "shareBefore", share_after as "shareAfter", words, minutes,
           live_gain as "liveGain", live_low as "liveLow", live_high as "liveHigh"
      from bid_judgements where campaign_id = ${campaignKey}
     order by judged_at desc, id desc limit ${limit}`)
  return rows.map((row) => ({
    ...row,
    judgedAt: new Date(row.judgedAt),
  }))
}
