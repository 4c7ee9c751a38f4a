import { DAY_MS } from '@placard/calendar'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { UtcDay } from './auction-day.ts'

const PARTITION_LOCK = 7_145_010

/**
 * Creates missing partitions. Each table is created apart and then attached, which does not block
 * writers; a lock makes nodes do it one after the other. Returns the created days.
 */
export async function addPartitions(db: Database, days: readonly UtcDay[]): Promise<UtcDay[]> {
  if ((await missing(db, days)).length === 0) return []
  return db.transaction(async (db) => {
    await lockPartitions(db)
    const made = await missing(db, days)
    for (const day of made) await addPartition(db, day)
    return made
  })
}

async function missing(db: Database, days: readonly UtcDay[]): Promise<UtcDay[]> {
  const present = new Set(await listPartitions(db))
  return days.filter((day) => !present.has(day))
}

async function addPartition(db: Database, day: UtcDay): Promise<void> {
  const table = sql.identifier(nameOf(day))
  await db.execute(
    sql`create table ${table} (like auctions including defaults including constraints)`,
  )
  await db.execute(sql`
    alter table auctions attach partition ${table}
      for values from (${sql.raw(`'${day}'`)}) to (${sql.raw(`'${dayAfter(day)}'`)})`)
}

const dayAfter = (day: UtcDay) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)

/** Drops whole days, oldest first, each in its own transaction, so that no lock is held for all. */
export async function dropPartitionsBefore(db: Database, day: UtcDay): Promise<UtcDay[]> {
  const dropped: UtcDay[] = []
  for (const old of (await listPartitions(db)).filter((other) => other < day)) {
    await db.transaction(async (db) => {
      await lockPartitions(db)
      await db.execute(sql`drop table if exists ${sql.identifier(nameOf(old))}`)
    })
    dropped.push(old)
  }
  return dropped
}

/** Days that have a partition, in order. */
export async function listPartitions(db: Database): Promise<UtcDay[]> {
  const { rows } = await db.execute(sql`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'auctions'::regclass order by 1`)
  return rows.map(({ name }) => String(name).slice(PREFIX.length).replaceAll('_', '-'))
}

const PREFIX = 'auctions_'

function nameOf(day: UtcDay): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw new RangeError(`${day} is no day`)
  return `${PREFIX}${day.replaceAll('-', '_')}`
}

const lockPartitions = (db: Database) =>
  db.execute(sql`select pg_advisory_xact_lock(${PARTITION_LOCK})`)
