import { and, count, desc, eq, lt, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { Page, Scope } from '../../../platform/resources/index.ts'
import { campaignDrafts } from '../tables.ts'

export type DraftRow = typeof campaignDrafts.$inferSelect

export interface DraftKey {
  readonly publicId: string
  readonly scope: Scope
}

const isSeenBy = ({ isPlatform, accountId }: Scope) =>
  isPlatform ? undefined : eq(campaignDrafts.accountId, accountId)

const isDraft = ({ publicId, scope }: DraftKey) =>
  and(eq(campaignDrafts.publicId, publicId), isSeenBy(scope))

/** Newest first, one more than the page holds. */
export const listDrafts = (
  db: Database,
  { scope, page }: { readonly scope: Scope; readonly page: Page },
): Promise<DraftRow[]> =>
  db
    .select()
    .from(campaignDrafts)
    .where(and(isSeenBy(scope), page.cursor && lt(campaignDrafts.publicId, page.cursor.publicId)))
    .orderBy(desc(campaignDrafts.publicId))
    .limit(page.limit + 1)

export async function findDraft(db: Database, key: DraftKey): Promise<DraftRow | undefined> {
  const [draft] = await db.select().from(campaignDrafts).where(isDraft(key))
  return draft
}

export async function lockDraft(db: Database, key: DraftKey): Promise<DraftRow | undefined> {
  const [draft] = await db.select().from(campaignDrafts).where(isDraft(key)).for('update')
  return draft
}

/** New drafts of an account wait for each other, so that they are counted right. */
export async function countDrafts(db: Database, accountId: bigint): Promise<number> {
  await db.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`campaign drafts ${accountId}`}, 0))`,
  )
  const [found] = await db
    .select({ drafts: count() })
    .from(campaignDrafts)
    .where(eq(campaignDrafts.accountId, accountId))
  return found!.drafts
}

export async function addDraft(
  db: Database,
  draft: typeof campaignDrafts.$inferInsert,
): Promise<DraftRow> {
  const [added] = await db.insert(campaignDrafts).values(draft).returning()
  return added!
}

export async function saveDraftRow(
  db: Database,
  { id, ...changes }: Pick<DraftRow, 'id' | 'form' | 'savedBy' | 'updatedAt'>,
): Promise<DraftRow> {
  const [saved] = await db
    .update(campaignDrafts)
    .set({ ...changes, version: sql`${campaignDrafts.version} + 1` })
    .where(eq(campaignDrafts.id, id))
    .returning()
  return saved!
}

/** False if there is none. */
export async function deleteDraft(db: Database, key: DraftKey): Promise<boolean> {
  const rows = await db
    .delete(campaignDrafts)
    .where(isDraft(key))
    .returning({ id: campaignDrafts.id })
  return rows.length === 1
}
