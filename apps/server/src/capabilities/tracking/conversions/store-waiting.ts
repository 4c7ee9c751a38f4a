import type { Pool } from 'pg'
import type { Conversion } from './conversion.ts'
import type { Showing } from './store.ts'

/** The newest staged batch of any node. */
export async function findNewestStagedBatch(pool: Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ id: string | null }>('select max(id) as id from event_inbox')
  const id = rows[0]?.id ?? undefined
  return id === undefined ? undefined : Number(id)
}

export interface Arrived {
  readonly conversion: Conversion
  readonly shown: Showing | undefined
}

const WAITING_MAX = 100_000

/** False if too many conversions are pending. */
export async function addWaiting(
  pool: Pool,
  { conversion, shown, stagedBatchId }: Arrived & { readonly stagedBatchId: number },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `insert into waiting_conversions (note_id, conversion, shown, received_at)
     select $1, $2, $3, to_timestamp($4::float8 / 1000)
      where (select count(*) from waiting_conversions) < ${WAITING_MAX}`,
    [stagedBatchId, pack(conversion), shown && JSON.stringify(shown), conversion.receivedAtMs],
  )
  return rowCount === 1
}

const pack = ({ valueMicros, ...conversion }: Conversion): string =>
  JSON.stringify({ ...conversion, valueMicros: valueMicros?.toString() })

type Packed = Omit<Conversion, 'valueMicros'> & { readonly valueMicros?: string }

const unpack = ({ valueMicros, ...conversion }: Packed): Conversion => ({
  ...conversion,
  valueMicros: valueMicros === undefined ? undefined : BigInt(valueMicros),
})

export interface Waiting extends Arrived {
  readonly id: number
}

/** The oldest conversions whose staged batches are all settled. */
export async function listReady(pool: Pool, limit: number): Promise<Waiting[]> {
  const { rows } = await pool.query<{ id: string; conversion: Packed; shown: Showing | null }>(
    `select id, conversion, shown from waiting_conversions
      where note_id < coalesce((select min(id) from event_inbox), 9223372036854775807)
      order by id
      limit $1`,
    [limit],
  )
  return rows.map(({ id, conversion, shown }) => ({
    id: Number(id),
    conversion: unpack(conversion),
    shown: shown ?? undefined,
  }))
}

export async function hasWaiting(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query('select 1 from waiting_conversions limit 1')
  return rows.length > 0
}

export async function deleteWaiting(pool: Pool, id: number): Promise<void> {
  await pool.query('delete from waiting_conversions where id = $1', [id])
}
