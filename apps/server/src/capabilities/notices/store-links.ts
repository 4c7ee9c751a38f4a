import { and, count, eq, gt, inArray, isNull, lt } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import { notices, recipientLinks, recipients } from './tables.ts'

export async function addRecipientLink(
  db: Database,
  link: typeof recipientLinks.$inferInsert,
): Promise<void> {
  await db.insert(recipientLinks).values(link)
}

interface RecipientAddresses {
  readonly recipientId: bigint
  readonly addresses: readonly string[]
  readonly at: Date
}

/** Earlier links of these addresses stop working. */
export async function voidRecipientLinks(
  db: Database,
  { recipientId, addresses, at }: RecipientAddresses,
): Promise<void> {
  if (addresses.length === 0) return
  await db
    .update(recipientLinks)
    .set({ usedAt: at })
    .where(
      and(
        eq(recipientLinks.recipientId, recipientId),
        inArray(recipientLinks.address, [...addresses]),
        isNull(recipientLinks.usedAt),
      ),
    )
}

/** Locks the link, so that the second of two simultaneous uses finds it used. */
export async function lockRecipientLink(db: Database, tokenHash: Buffer) {
  const [found] = await db
    .select({
      id: recipientLinks.id,
      address: recipientLinks.address,
      expiresAt: recipientLinks.expiresAt,
      usedAt: recipientLinks.usedAt,
      recipientId: recipients.id,
      publicId: recipients.publicId,
      accountId: recipients.accountId,
      version: recipients.version,
      mailTo: recipients.mailTo,
      confirmedMail: recipients.confirmedMail,
    })
    .from(recipientLinks)
    .innerJoin(recipients, eq(recipients.id, recipientLinks.recipientId))
    .where(eq(recipientLinks.tokenHash, tokenHash))
    .for('update')
  return found
}

export type FoundRecipientLink = NonNullable<Awaited<ReturnType<typeof lockRecipientLink>>>

/** The address agrees and its link stops working. */
export async function confirmAddress(
  db: Database,
  link: FoundRecipientLink,
  now: Date,
): Promise<void> {
  await db.update(recipientLinks).set({ usedAt: now }).where(eq(recipientLinks.id, link.id))
  const confirmedMail = [...new Set([...link.confirmedMail, link.address])].filter((address) =>
    link.mailTo.includes(address),
  )
  await db
    .update(recipients)
    .set({ confirmedMail, version: link.version + 1, updatedAt: now })
    .where(eq(recipients.id, link.recipientId))
}

/** Confirmation requests of an account since then, by mail and by call. */
export async function countConfirmationRequests(
  db: Database,
  accountId: bigint,
  since: Date,
): Promise<number> {
  const [links] = await db
    .select({ count: count() })
    .from(recipientLinks)
    .where(and(eq(recipientLinks.accountId, accountId), gt(recipientLinks.createdAt, since)))
  const [greetings] = await db
    .select({ count: count() })
    .from(notices)
    .where(
      and(
        eq(notices.accountId, accountId),
        eq(notices.topic, 'greeting'),
        gt(notices.createdAt, since),
      ),
    )
  return links!.count + greetings!.count
}

export async function deleteRecipientLinksBefore(db: Database, instant: Date): Promise<void> {
  await db.delete(recipientLinks).where(lt(recipientLinks.expiresAt, instant))
}
