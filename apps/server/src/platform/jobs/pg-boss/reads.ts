import type { Db, JobWithMetadata } from 'pg-boss'
import type { DeadLetter, DeadLetterPage, JobProgress, RequeueOutcome } from '../job.ts'

/** Queue for jobs without retries left or with a payload that does not fit. */
export const DEAD_LETTERS = 'dead-letters'
const PAGE_MAX = 200

/** Reads pg-boss's tables where it has no call; its version is pinned, and the suite covers this. */
export async function listDeadLetters(
  db: Db,
  { limit, before }: DeadLetterPage,
): Promise<readonly DeadLetter[]> {
  const { rows } = await db.executeSql(
    `select id, source_name as job, data as payload, source_output as output,
            source_retry_count as retries, source_created_on as "enqueuedAt",
            created_on as "failedAt"
       from pgboss.job
      where name = $1 and state = 'created'
        and ($2::timestamptz is null
             or (date_trunc('milliseconds', created_on), id) < ($2::timestamptz, $3::uuid))
      order by date_trunc('milliseconds', created_on) desc, id desc
      limit $4`,
    [DEAD_LETTERS, before?.failedAt ?? null, before?.id ?? null, Math.min(limit, PAGE_MAX)],
  )
  return rows.map(({ output, ...row }) => ({ ...row, reason: reasonOf(output) }))
}

export type StoredRun = Pick<
  JobWithMetadata,
  'id' | 'state' | 'startAfter' | 'singletonKey' | 'retryCount' | 'output'
>

export async function listRuns(db: Db, name: string, limit: number): Promise<StoredRun[]> {
  const { rows } = await db.executeSql(
    `select id, state, start_after as "startAfter", singleton_key as "singletonKey",
            retry_count as "retryCount", output
       from pgboss.job where name = $1 order by created_on desc, id desc limit $2`,
    [name, Math.min(limit, PAGE_MAX)],
  )
  return rows
}

/** Why nothing was requeued: pg-boss completes a dead letter whose dedupe key is already waiting. */
export async function whyNotRequeued(db: Db, id: string): Promise<RequeueOutcome> {
  const { rows } = await db.executeSql('select 1 from pgboss.job where name = $1 and id = $2', [
    DEAD_LETTERS,
    id,
  ])
  return rows.length > 0 ? 'one-waits-already' : 'not-found'
}

export interface JobCounts {
  readonly name: string
  readonly waiting: number
  readonly delayed: number
  readonly active: number
  readonly failed: number
  readonly oldestSeconds: number
}

/** Reads unfinished rows only, so that the cost depends on the backlog and not on history. */
export async function countByJob(db: Db): Promise<readonly JobCounts[]> {
  const { rows } = await db.executeSql(
    `select case when name = $1 then source_name else name end as name,
            count(*) filter (where name <> $1 and state < 'active'
                                   and start_after <= pgboss.job_now())::int as waiting,
            count(*) filter (where name <> $1 and state < 'active'
                                   and start_after > pgboss.job_now())::int as delayed,
            count(*) filter (where name <> $1 and state = 'active')::int as active,
            count(*) filter (where name = $1 and state = 'created')::int as failed,
            coalesce(extract(epoch from pgboss.job_now() - min(start_after) filter (
              where name <> $1 and state < 'active' and start_after <= pgboss.job_now())), 0
            )::float8 as "oldestSeconds"
       from pgboss.job
      where state <= 'active'
      group by 1`,
    [DEAD_LETTERS],
  )
  return rows
}

/** Kept in the run's output while it is active; completion writes it once more. */
export async function saveProgress(
  db: Db,
  run: { readonly name: string; readonly id: string },
  progress: JobProgress,
): Promise<void> {
  await db.executeSql(
    `update pgboss.job set output = $3::jsonb
      where name = $1 and id = $2 and state = 'active'`,
    [run.name, run.id, JSON.stringify({ progress })],
  )
}

interface Output {
  readonly progress?: JobProgress
  readonly message?: string
  readonly value?: { readonly message?: string } | string
}

export const progressOf = (output: Output | null): JobProgress | undefined => output?.progress

/** pg-boss writes its own reasons under `value`; ours and thrown errors have a message at the top. */
export function reasonOf(output: Output | null): string {
  const { message, value } = output ?? {}
  if (message) return message
  return (typeof value === 'string' ? value : value?.message) ?? 'unknown'
}
