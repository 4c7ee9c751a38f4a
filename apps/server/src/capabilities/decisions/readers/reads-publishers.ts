import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { accounts } from '../../accounts/tables.ts'
import { publishers } from '../../inventory/tables.ts'
import type { PublisherAccount } from './publishers.ts'

/** The publishers there are, the first made first. */
export async function listPublishers(db: Database): Promise<readonly PublisherAccount[]> {
  const rows = await db
    .select({ publicId: publishers.publicId, accountId: publishers.accountId })
    .from(publishers)
    .innerJoin(accounts, eq(accounts.id, publishers.accountId))
    .where(and(isNull(publishers.deletedAt), isNull(accounts.deletedAt)))
    .orderBy(asc(publishers.id))
  return rows.map(({ publicId, accountId }) => ({ publicId, publisherKey: Number(accountId) }))
}

/** Deleted publishers included: their readers may still be in the records. */
export async function listPublisherKeysEver(db: Database): Promise<readonly number[]> {
  const rows = await db.selectDistinct({ accountId: publishers.accountId }).from(publishers)
  return rows.map(({ accountId }) => Number(accountId))
}
