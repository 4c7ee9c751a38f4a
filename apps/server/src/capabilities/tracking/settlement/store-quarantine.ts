import type { Pool } from 'pg'

/** An event that cannot be settled, with the reason. Nothing acknowledged is thrown away. */
export interface Quarantined {
  readonly eventId: string
  readonly reason: 'poison' | 'too-old' | 'value'
  readonly detail: string
  /** JSON text, control characters escaped. */
  readonly event: string
  readonly receivedAt: Date
  readonly quarantinedAt: Date
}

/** False if it is there already. */
export async function addQuarantined(pool: Pool, quarantined: Quarantined): Promise<boolean> {
  const { rowCount } = await pool.query(
    `insert into quarantined_events (event_id, reason, detail, event, received_at, quarantined_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing`,
    [
      quarantined.eventId,
      quarantined.reason,
      quarantined.detail.replaceAll('\0', ''),
      quarantined.event,
      quarantined.receivedAt.toISOString(),
      quarantined.quarantinedAt.toISOString(),
    ],
  )
  return rowCount === 1
}

export interface QuarantinedRow {
  readonly eventId: string
  readonly reason: string
  readonly detail: string
  readonly receivedAt: Date
  readonly quarantinedAt: Date
}

export async function listQuarantined(pool: Pool, limit: number): Promise<QuarantinedRow[]> {
  const { rows } = await pool.query<QuarantinedRow>(
    `select event_id as "eventId", reason, detail, received_at as "receivedAt",
            quarantined_at as "quarantinedAt"
       from quarantined_events
      order by quarantined_at desc, event_id
      limit $1`,
    [limit],
  )
  return rows
}
