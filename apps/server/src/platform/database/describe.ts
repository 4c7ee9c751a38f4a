import type { Pool } from 'pg'

/** The schema as text from catalogue queries: identical on every machine, so reviews can compare it. */
export async function describeSchema(pool: Pool): Promise<string> {
  const parts = await Promise.all([
    tables(pool),
    lines(pool, CONSTRAINTS),
    lines(pool, INDEXES),
    lines(pool, TRIGGERS),
    lines(pool, FUNCTIONS),
  ])
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

async function lines(pool: Pool, query: string): Promise<string> {
  const { rows } = await pool.query<{ line: string }>(query)
  return rows.map(({ line }) => line).join('\n')
}

async function tables(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ name: string; columns: string[] }>(COLUMNS)
  return rows
    .map(({ name, columns }) => `create table ${name} (\n  ${columns.join(',\n  ')}\n);`)
    .join('\n\n')
}

const IN_PUBLIC = `n.nspname = 'public' and not exists (
  select from pg_inherits i where i.inhrelid = c.oid)`

const COLUMNS = `
  select c.relname as name, array_agg(
    format('%s %s%s%s%s', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then ' not null' else '' end,
      case when a.attidentity <> '' then ' generated always as identity' else '' end,
      case when d.oid is null then ''
        when a.attgenerated <> '' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
        else ' default ' || pg_get_expr(d.adbin, d.adrelid) end)
    order by a.attnum) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relkind in ('r', 'p') and ${IN_PUBLIC}
  group by c.relname order by c.relname`

// PostgreSQL 18 lists not-null constraints here too; the columns already show them.
const CONSTRAINTS = `
  select format('alter table %s add constraint %s %s;', c.relname, quote_ident(k.conname),
    pg_get_constraintdef(k.oid)) as line
  from pg_constraint k join pg_class c on c.oid = k.conrelid
  join pg_namespace n on n.oid = c.relnamespace
  where k.contype <> 'n' and ${IN_PUBLIC} order by c.relname, k.conname`

const INDEXES = `
  select pg_get_indexdef(i.indexrelid) || ';' as line
  from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
  where ${IN_PUBLIC} and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))
  order by 1`

const TRIGGERS = `
  select pg_get_triggerdef(t.oid) || ';' as line
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
  where not t.tgisinternal and ${IN_PUBLIC} order by c.relname, t.tgname`

const FUNCTIONS = `
  select format('create function %s(%s) returns %s;', p.proname,
    pg_get_function_identity_arguments(p.oid), pg_get_function_result(p.oid)) as line
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = 'public' order by 1`
