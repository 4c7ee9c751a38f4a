import { eq, lt, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import { signInLimits } from './tables.ts'

interface Try {
  readonly subject: Buffer
  readonly now: Date
  /** A window that began earlier is over; a new one begins. */
  readonly since: Date
}

/** Counts an attempt. Concurrent attempts each get their own number. */
export async function countTry(db: Database, { subject, now, since }: Try) {
  const isOver = sql`${signInLimits.windowStartedAt} <= ${since.toISOString()}::timestamptz`
  const [counted] = await db
    .insert(signInLimits)
    .values({ subject, windowStartedAt: now, tries: 1 })
    .onConflictDoUpdate({
      target: signInLimits.subject,
      set: {
        tries: sql`case when ${isOver} then 1 else least(${signInLimits.tries}, 1000000) + 1 end`,
        windowStartedAt: sql`case when ${isOver} then excluded.window_started_at else ${signInLimits.windowStartedAt} end`,
      },
    })
    .returning({ tries: signInLimits.tries, startedAt: signInLimits.windowStartedAt })
  return counted!
}

export async function forgetTries(db: Database, subject: Buffer): Promise<void> {
  await db.delete(signInLimits).where(eq(signInLimits.subject, subject))
}

export async function deleteTriesBefore(db: Database, instant: Date): Promise<void> {
  await db.delete(signInLimits).where(lt(signInLimits.windowStartedAt, instant))
}
