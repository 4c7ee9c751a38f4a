import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { signInLinks, users } from '../tables.ts'

export type LinkKind = 'invitation' | 'password' | 'old-email' | 'new-email'

export async function addLink(db: Database, link: typeof signInLinks.$inferInsert): Promise<void> {
  await db.insert(signInLinks).values(link)
}

/** Locks the link, so that of two concurrent uses the second sees that it is used. */
export async function lockLink(db: Database, tokenHash: Buffer) {
  const [found] = await db
    .select({
      id: signInLinks.id,
      kind: sql<LinkKind>`${signInLinks.kind}`,
      expiresAt: signInLinks.expiresAt,
      usedAt: signInLinks.usedAt,
      newEmail: signInLinks.newEmail,
      changeId: signInLinks.changeId,
      userId: users.id,
      publicId: users.publicId,
      email: users.email,
      isActive: users.isActive,
      deletedAt: users.deletedAt,
    })
    .from(signInLinks)
    .innerJoin(users, eq(users.id, signInLinks.userId))
    .where(eq(signInLinks.tokenHash, tokenHash))
    .for('update', { of: signInLinks })
  return found
}

export type FoundLink = NonNullable<Awaited<ReturnType<typeof lockLink>>>

export async function useLink(db: Database, id: bigint, at: Date): Promise<void> {
  await db.update(signInLinks).set({ usedAt: at }).where(eq(signInLinks.id, id))
}

/** Voids links sent earlier. */
export async function voidLinks(
  db: Database,
  { userId, kinds, at }: { userId: bigint; kinds: readonly LinkKind[]; at: Date },
): Promise<void> {
  const list = sql.join(
    kinds.map((kind) => sql`${kind}`),
    sql`, `,
  )
  await db
    .update(signInLinks)
    .set({ usedAt: at })
    .where(
      and(
        eq(signInLinks.userId, userId),
        isNull(signInLinks.usedAt),
        sql`${signInLinks.kind} in (${list})`,
      ),
    )
}

/** Whether both addresses have confirmed. */
export async function isConfirmedTwice(db: Database, changeId: string): Promise<boolean> {
  const open = await db
    .select({ id: signInLinks.id })
    .from(signInLinks)
    .where(and(eq(signInLinks.changeId, changeId), isNull(signInLinks.usedAt)))
  return open.length === 0
}

export async function deleteLinksBefore(db: Database, instant: Date): Promise<void> {
  await db.delete(signInLinks).where(lt(signInLinks.expiresAt, instant))
}
