import { sql } from 'drizzle-orm'
import type { Database } from '../../database/connect.ts'
import type { Row } from '../../database/row.ts'

export interface StoredSchedule {
  readonly job: string
  readonly cron: string
  readonly payload: object
}

/** A known schedule keeps what it has done; one with another cron begins now. Returns its last due time. */
export async function saveSchedule(
  db: Database,
  { job, cron, payload }: StoredSchedule,
  now: Date,
): Promise<Date> {
  const { rows } = await db.execute<Row<{ last_due_at: string }>>(sql`
    insert into job_schedules as known (job, cron, payload, last_due_at)
    values (${job}, ${cron}, ${JSON.stringify(payload)}::jsonb, ${now})
    on conflict (job) do update
      set cron = excluded.cron, payload = excluded.payload,
          last_due_at = case when known.cron = excluded.cron
                             then known.last_due_at else excluded.last_due_at end
    returning last_due_at`)
  return new Date(rows[0]!.last_due_at)
}

export async function deleteSchedule(db: Database, job: string): Promise<void> {
  await db.execute(sql`delete from job_schedules where job = ${job}`)
}

/** Part of the transaction that orders the run. False: another node has, or the schedule is another one by now. */
export async function takeDueTime(
  db: Database,
  { job, cron, dueAt }: { readonly job: string; readonly cron: string; readonly dueAt: Date },
): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    update job_schedules set last_due_at = ${dueAt}
     where job = ${job} and cron = ${cron} and last_due_at < ${dueAt}`)
  return rowCount === 1
}
