import { and, eq, lt, sql } from 'drizzle-orm'
import {
  customType,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import type { Database } from '../database/connect.ts'

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** Answers to requests with an Idempotency-Key, kept for a day. */
export const keptAnswers = pgTable(
  'kept_answers',
  {
    caller: text('caller').notNull(),
    key: text('key').notNull(),
    fingerprint: bytea('fingerprint').notNull(),
    status: integer('status').notNull(),
    headers: jsonb('headers').$type<Record<string, string>>().notNull(),
    body: jsonb('body'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.caller, table.key] })],
)

interface KeptKey {
  readonly caller: string
  readonly key: string
}

/** Locks the key first, so that a duplicate waits here until the first has committed. */
export async function findAnswer(db: Database, { caller, key }: KeptKey) {
  await db.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`kept-answer ${caller} ${key}`}, 0))`,
  )
  const [answer] = await db
    .select({
      fingerprint: keptAnswers.fingerprint,
      status: keptAnswers.status,
      headers: keptAnswers.headers,
      body: keptAnswers.body,
    })
    .from(keptAnswers)
    .where(and(eq(keptAnswers.caller, caller), eq(keptAnswers.key, key)))
  return answer
}

export async function saveAnswer(
  db: Database,
  answer: Omit<typeof keptAnswers.$inferInsert, 'headers'> & {
    readonly headers?: Readonly<Record<string, string>>
  },
): Promise<void> {
  await db.insert(keptAnswers).values({ ...answer, headers: { ...answer.headers } })
}

export async function deleteAnswersBefore(db: Database, instant: Date): Promise<void> {
  await db.delete(keptAnswers).where(lt(keptAnswers.createdAt, instant))
}
