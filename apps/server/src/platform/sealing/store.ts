import { sql } from 'drizzle-orm'
import type { Database } from '../database/connect.ts'
import type { SealedColumn } from './sealed-column.ts'

export interface StoredSecret {
  readonly id: string
  readonly sealed: string
}

type Place = Pick<SealedColumn, 'table' | 'column'>

export async function countSealed(db: Database, { table, column }: Place): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(${sql.identifier(column)})::float8 as count from ${sql.identifier(table)}`)
  return rows[0]!.count
}

/** In order of id, after the one given. */
export async function listSealed(
  db: Database,
  { table, column }: Place,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly StoredSecret[]> {
  const { rows } = await db.execute<{ id: string; sealed: string }>(sql`
    select id::text, ${sql.identifier(column)} as sealed from ${sql.identifier(table)}
     where id > ${after}::bigint and ${sql.identifier(column)} is not null
     order by ${sql.identifier(table)}.id limit ${limit}`)
  return rows
}

export interface NewlySealed extends StoredSecret {
  readonly before: string
}

/** A secret that somebody has changed meanwhile stays as it is: it is sealed with the current one. */
export async function saveSealed(
  db: Database,
  { table, column }: Place,
  renewed: readonly NewlySealed[],
): Promise<void> {
  const name = sql.identifier(column)
  await db.execute(sql`
    update ${sql.identifier(table)} t set ${name} = r.sealed
      from jsonb_to_recordset(${JSON.stringify(renewed)}::jsonb)
        as r(id bigint, before text, sealed text)
     where t.id = r.id and t.${name} = r.before`)
}
