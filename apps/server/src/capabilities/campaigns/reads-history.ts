import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'

export interface ChangeRecord {
  readonly publicId: string
  readonly occurredAt: Date
  readonly actorKind: string
  readonly actorId: string | null
  readonly actorName: string
  readonly action: string
  readonly entity: string
  readonly entityId: string
  readonly before: unknown
  readonly after: unknown
  readonly requestId: string | null
}

interface HistoryPage {
  readonly campaign: { readonly publicId: string; readonly accountId: bigint }
  readonly limit: number
  /** The public id with which the page before ended. */
  readonly after: string | undefined
}

/** What was changed of a campaign and of all that belongs to it, the newest first. */
export async function listHistory(
  db: Database,
  { campaign: { publicId, accountId }, limit, after }: HistoryPage,
): Promise<ChangeRecord[]> {
  const { rows } = await db.execute(sql`
    select public_id, occurred_at, actor_kind, actor_id, actor_name, action, entity, entity_id,
           before, after, request_id
      from audit_log
     where account_id = ${accountId.toString()}::bigint
       and (entity_id = ${publicId} or entity_id like ${`${publicId}/%`}
            or after ->> 'campaignId' = ${publicId} or before ->> 'campaignId' = ${publicId})
       and (${after ?? null}::uuid is null or public_id < ${after ?? null}::uuid)
     order by public_id desc limit ${limit}`)
  return rows.map((row) => ({
    publicId: row['public_id'] as string,
    occurredAt: new Date(row['occurred_at'] as string),
    actorKind: row['actor_kind'] as string,
    actorId: row['actor_id'] as string | null,
    actorName: row['actor_name'] as string,
    action: row['action'] as string,
    entity: row['entity'] as string,
    entityId: row['entity_id'] as string,
    before: row['before'],
    after: row['after'],
    requestId: row['request_id'] as string | null,
  }))
}
