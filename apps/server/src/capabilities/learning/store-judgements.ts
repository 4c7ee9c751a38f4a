import type { BidPolicy, GateJudgement } from '@placard/learning'
import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import type { AgentMove } from './agent.ts'

/** What the gate found of a policy, what became of it, and all that in words. */
export interface Judged extends GateJudgement {
  readonly judgedAt: Date
  readonly policy: BidPolicy
  readonly base: BidPolicy
  readonly move: AgentMove
  readonly shareBefore: number
  readonly shareAfter: number
  readonly words: string
}

export async function addJudgement(
  db: Database,
  campaignKey: number,
  judged: Judged,
): Promise<void> {
  const { policy, base, verdict, days, move, shareBefore, shareAfter, words } = judged
  await db.execute(sql`
    insert into bid_judgements (campaign_id, judged_at, policy, base, verdict, days, gain, low, high,
           move, share_before, share_after, words)
    values (${campaignKey}, ${judged.judgedAt.toISOString()}::timestamptz, ${policy}, ${base},
            ${verdict}, ${days}, ${finite(judged.gain)}, ${finite(judged.low)}, ${finite(judged.high)},
            ${move}, ${shareBefore}, ${shareAfter}, ${words})`)
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

export interface JudgementRow extends Omit<Judged, 'gain' | 'low' | 'high'> {
  readonly gain: number | null
  readonly low: number | null
  readonly high: number | null
}

/** The newest first. */
export async function listJudgements(
  db: Database,
  campaignKey: number,
  limit: number,
): Promise<JudgementRow[]> {
  const { rows } = await db.execute(sql`
    select judged_at as "judgedAt", policy, base, verdict, days, gain, low, high, move,
           share_before as "shareBefore", share_after as "shareAfter", words
      from bid_judgements where campaign_id = ${campaignKey}
     order by judged_at desc, id desc limit ${limit}`)
  return (rows as unknown as JudgementRow[]).map((row) => ({
    ...row,
    judgedAt: new Date(row.judgedAt),
  }))
}
