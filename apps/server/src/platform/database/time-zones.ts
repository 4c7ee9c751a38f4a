import { zoneNames } from '@placard/calendar'
import type { Pool } from 'pg'

/** Zones that users may choose but this PostgreSQL does not know; it reads them as UTC. */
export async function listMissingZones(
  pool: Pick<Pool, 'query'>,
  names: readonly string[] = zoneNames(),
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select name from unnest($1::text[]) as given (name)
      where zone_or_utc(name) <> name order by name`,
    [names],
  )
  return rows.map(({ name }) => name)
}
