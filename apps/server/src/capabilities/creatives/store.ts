import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import { accounts } from '../accounts/tables.ts'
import { advertisers } from '../campaigns/tables.ts'
import { assets, banners, creativeTemplates, type ReferenceTable } from './tables.ts'

export interface ImportedReference {
  readonly publicId: string
  readonly externalId: string
  readonly name: string
}

/** The existing rows that an import names, locked until the transaction ends. */
export async function lockReferences(
  db: Database,
  table: ReferenceTable,
  externalIds: readonly string[],
) {
  return db
    .select({ externalId: table.externalId, name: table.name })
    .from(table)
    .where(sql`${table.externalId} = any(${sql.param([...externalIds])}::text[])`)
    .for('update')
}

/** Adds new rows and renames known ones in one statement. Unchanged rows stay untouched. */
export async function upsertReferences(
  db: Database,
  table: ReferenceTable,
  { rows, now }: { rows: readonly ImportedReference[]; now: Date },
) {
  const records = rows.map(({ publicId, externalId, name }) => ({
    public_id: publicId,
    external_id: externalId,
    name,
  }))
  const { rows: changed } = await db.execute<{ external_id: string; name: string }>(sql`
    insert into ${table} (public_id, external_id, name, created_at, updated_at)
    select public_id, external_id, name, ${now}::timestamptz, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
      as given (public_id uuid, external_id text, name text)
    on conflict (external_id) do update
      set name = excluded.name, version = ${table}.version + 1, updated_at = excluded.updated_at
      where ${table}.name is distinct from excluded.name
    returning external_id, name`)
  return changed.map((row) => ({ externalId: row.external_id, name: row.name }))
}

export interface AssetContent {
  readonly sha256: Buffer
  /** The account by its public id, or by its key if the caller names none. */
  readonly account: { readonly publicId: string } | { readonly id: bigint }
}

/** Uploads of the same bytes to the same account wait for each other. */
export async function lockContent(db: Database, { sha256, account }: AssetContent): Promise<void> {
  const key = `asset ${sha256.toString('hex')} ${String(Object.values(account)[0])}`
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/** The public id of the account's asset with these bytes. */
export async function findDuplicate(
  db: Database,
  { sha256, account }: AssetContent,
): Promise<string | undefined> {
  const [duplicate] = await db
    .select({ publicId: assets.publicId })
    .from(assets)
    .innerJoin(accounts, eq(accounts.id, assets.accountId))
    .where(
      and(
        eq(assets.sha256, sha256),
        isNull(assets.deletedAt),
        'id' in account ? eq(accounts.id, account.id) : eq(accounts.publicId, account.publicId),
      ),
    )
  return duplicate?.publicId
}

/** The public facts of an asset. */
export async function findAssetFile(db: Database, publicId: string) {
  const [file] = await db
    .select({
      contentType: assets.contentType,
      byteCount: assets.byteCount,
      sha256: assets.sha256,
    })
    .from(assets)
    .where(and(eq(assets.publicId, publicId), isNull(assets.deletedAt)))
  return file
}

/** True if a banner of the account names the file, by its path or by a full address. */
export async function isShown(
  db: Database,
  { accountId, filePath }: { accountId: bigint; filePath: string },
): Promise<boolean> {
  const named = sql`concat_ws(' ', ${banners.primaryImageUrl}, ${banners.mobileImageUrl},
    ${banners.videoUrl}, ${banners.videoRenditions}::text, ${banners.html}, ${banners.mediaVariants}::text,
    ${banners.fallbackPlaceholderUrl})`
  const rows = await db
    .select({ id: banners.id })
    .from(banners)
    .where(
      and(
        eq(banners.accountId, accountId),
        isNull(banners.deletedAt),
        sql`position(${filePath} in ${named}) > 0`,
      ),
    )
    .limit(1)
  return rows.length === 1
}

/** True if the advertiser is the house of the platform or of a publisher. */
export async function isHouse(db: Database, advertiserId: bigint): Promise<boolean> {
  const [found] = await db
    .select({ isHouse: advertisers.isHouse })
    .from(advertisers)
    .where(eq(advertisers.id, advertiserId))
  return found?.isHouse === true
}

/** Facts read from our own files at upload, by path. */
export async function listFileFacts(db: Database, filePaths: readonly string[]) {
  if (filePaths.length === 0) return []
  return db
    .select({
      filePath: assets.filePath,
      contentType: assets.contentType,
      byteCount: assets.byteCount,
      width: assets.width,
      height: assets.height,
      durationMs: assets.durationMs,
      bitrateKbps: assets.bitrateKbps,
    })
    .from(assets)
    .where(and(inArray(assets.filePath, [...filePaths]), isNull(assets.deletedAt)))
}

/** Locked, so that it cannot change while a banner is filled from it. */
export async function findTemplate(db: Database, id: bigint) {
  const { html, fields } = creativeTemplates
  const [found] = await db
    .select({ html, fields })
    .from(creativeTemplates)
    .where(eq(creativeTemplates.id, id))
    .for('share')
  return found
}

export async function isTemplateUsed(db: Database, id: bigint): Promise<boolean> {
  const found = await db
    .select({ id: banners.id })
    .from(banners)
    .where(eq(banners.templateId, id))
    .limit(1)
  return found.length > 0
}
