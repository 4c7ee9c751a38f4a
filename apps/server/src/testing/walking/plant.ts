import type { Pool } from 'pg'

/** Columns that lead to the account of a row, in the order in which they are looked for. */
const PARENTS: readonly (readonly [column: string, parent: string])[] = [
  ['account_id', ''],
  ['campaign_id', 'campaigns'],
  ['advertiser_id', 'advertisers'],
  ['site_id', 'sites'],
  ['page_id', 'pages'],
  ['user_id', 'users'],
]

export async function listTables(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
      where relkind in ('r', 'p') and not relispartition
        and relnamespace = 'public'::regnamespace order by 1`,
  )
  return rows.map(({ name }) => name)
}

interface Planting {
  readonly table: string
  /** What the `update` sets. */
  readonly fault: string
  /** Public ids of the tenant's accounts. */
  readonly accountIds: readonly string[]
}

/** Sets the fault in every row of the account, or inserts it. Returns the number of rows. */
export async function plant(pool: Pool, { table, fault, accountIds }: Planting): Promise<number> {
  const account = `(select id from accounts where public_id = any (array['${accountIds.join("','")}']::uuid[]))`
  const statement = fault.startsWith('insert')
    ? fault
    : `update ${table} set ${fault} where ${await ownership(pool, table)}`
  const { rowCount } = await pool.query(statement.replaceAll(':account', account))
  return rowCount ?? 0
}

/** A condition on the rows of the account; all rows if the table does not name one. */
async function ownership(pool: Pool, table: string): Promise<string> {
  if (table === 'accounts') return 'id in :account'
  const { rows } = await pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = $1`,
    [table],
  )
  const columns = new Set(rows.map(({ name }) => name))
  const [column, parent] = PARENTS.find(([name]) => columns.has(name)) ?? []
  if (column === undefined) return 'true'
  if (parent === '') return `${column} in :account`
  return `${column} in (select id from ${parent} where account_id in :account)`
}
