import type { DeliveryCode } from '@placard/contract/delivery'
import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { campaignTargetingRules } from '../../campaigns/tables.ts'
import { campaignDelivery } from '../tables.ts'
import type { DeliveryState } from './verdict.ts'

export interface DeliveryRow {
  readonly campaignKey: number
  readonly state: DeliveryState
  readonly code: DeliveryCode | null
  readonly text: string
  readonly checkedAt: Date
}

/** Of all nodes one checks, until it has not said so for a while. */
export async function claimChecks(
  db: Database,
  { node, seconds }: { readonly node: string; readonly seconds: number },
): Promise<boolean> {
  const { rows } = await db.execute(sql`
    insert into delivery_checker as c (node, until)
    values (${node}, now() + make_interval(secs => ${seconds}))
    on conflict (id) do update set node = excluded.node, until = excluded.until
     where c.node = excluded.node or c.until < now()
    returning c.node`)
  return rows.length > 0
}

export async function releaseChecks(db: Database, node: string): Promise<void> {
  await db.execute(sql`delete from delivery_checker where node = ${node}`)
}

/** Campaigns that are gone meanwhile are left out. */
export async function saveDelivery(db: Database, rows: readonly DeliveryRow[]): Promise<void> {
  const values = rows.map(({ campaignKey, state, code, text, checkedAt }) => ({
    campaign_id: campaignKey,
    state,
    code,
    text: text.slice(0, TEXT_MAX),
    checked_at: checkedAt.toISOString(),
  }))
  await db.execute(sql`
    insert into ${campaignDelivery} (campaign_id, state, code, text, checked_at)
    select r.campaign_id, r.state, r.code, r.text, r.checked_at
      from json_populate_recordset(null::campaign_delivery, ${JSON.stringify(values)}::json) r
      join campaigns c on c.id = r.campaign_id
    on conflict (campaign_id) do update
       set state = excluded.state, code = excluded.code, text = excluded.text, checked_at = excluded.checked_at`)
}

const TEXT_MAX = 500

/** The targeting rules of a campaign that hold. */
export async function listRules(db: Database, campaignKey: number) {
  const rows = await db
    .select({
      type: campaignTargetingRules.ruleType,
      operator: campaignTargetingRules.operator,
      value: campaignTargetingRules.value,
      isActive: campaignTargetingRules.isActive,
    })
    .from(campaignTargetingRules)
    .where(eq(campaignTargetingRules.campaignId, BigInt(campaignKey)))
    .limit(RULES_MAX)
  return rows.filter(({ isActive }) => isActive)
}

const RULES_MAX = 200
export type HeldRule = Awaited<ReturnType<typeof listRules>>[number]
