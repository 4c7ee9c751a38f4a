import { and, asc, desc, eq, isNull } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { accounts } from '../../accounts/tables.ts'
import { publishers } from '../../inventory/tables.ts'
import type { Publisher } from './publishers.ts'

/** The publishers there are, the default one first, then the first made. */
export async function listPublishers(db: Database): Promise<readonly Publisher[]> {
  const rows = await db
    .select({
      id: publishers.id,
      publicId: publishers.publicId,
      currency: publishers.currency,
      accountId: publishers.accountId,
    })
    .from(publishers)
    .innerJoin(accounts, eq(accounts.id, publishers.accountId))
    .where(and(isNull(publishers.deletedAt), isNull(accounts.deletedAt)))
    .orderBy(desc(publishers.isDefault), asc(publishers.id))
  return rows.map(({ id, accountId, ...publisher }) => ({
    ...publisher,
    key: Number(id),
    accountKey: Number(accountId),
  }))
}

/** Deleted publishers included: their readers may still be in the records. */
export async function listPublisherKeysEver(db: Database): Promise<readonly number[]> {
  const rows = await db.selectDistinct({ accountId: publishers.accountId }).from(publishers)
  return rows.map(({ accountId }) => Number(accountId))
}
