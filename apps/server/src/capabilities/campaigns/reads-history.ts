import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import type { Row } from '../../platform/database/row.ts'

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

type ChangeRow = Row<Omit<ChangeRecord, 'occurredAt'> & { readonly occurredAt: string }>

interface HistoryPage {
  readonly campaign: { readonly publicId: string; readonly accountId: bigint }
  readonly limit: number
  /** The public id of the last row of the previous page. */
  readonly after: string | undefined
}

/** Changes of a campaign and of everything in it, newest first. */
export async function listHistory(
  db: Database,
  { campaign: { publicId, accountId }, limit, after }: HistoryPage,
): Promise<ChangeRecord[]> {
  const { rows } = await db.execute<ChangeRow>(sql`
    select public_id as "publicId", occurred_at as "occurredAt", actor_kind as "actorKind",
           actor_id as "actorId", actor_name as "actorName", action, entity, entity_id as "entityId",
           before, after, request_id as "requestId"
      from audit_log
     where account_id = ${accountId.toString()}::bigint
       and (entity_id = ${publicId} or entity_id like ${`${publicId}/%`}
            or after ->> 'campaignId' = ${publicId} or before ->> 'campaignId' = ${publicId})
       and (${after ?? null}::uuid is null or public_id < ${after ?? null}::uuid)
     order by public_id desc limit ${limit}`)
  return rows.map((row) => ({ ...row, occurredAt: new Date(row.occurredAt) }))
}
