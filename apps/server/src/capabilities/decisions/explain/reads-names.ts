import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { accounts } from '../../accounts/tables.ts'
import { ads, campaigns } from '../../campaigns/tables.ts'
import { banners } from '../../creatives/tables.ts'
import { placements, publishers, slots } from '../../inventory/tables.ts'
import type { Named, Names, CandidateKeys } from './explain.ts'

interface NamedKeys {
  readonly candidates: readonly CandidateKeys[]
  readonly placementKeys: readonly number[]
}

/** Names of candidates and placements, including soft-deleted ones. */
export async function namesOf(
  db: Database,
  { candidates, placementKeys }: NamedKeys,
): Promise<Names> {
  const adKeys = candidates.flatMap(({ kind, key }) => (kind === 'ad' ? [key] : []))
  const campaignKeys = candidates.flatMap(({ campaignKey }) => campaignKey ?? [])
  const bannerKeys = candidates.map(({ bannerKey }) => bannerKey)
  const [adRows, campaignRows, bannerRows, placementRows] = await Promise.all([
    db
      .select({ key: ads.id, id: ads.publicId, name: ads.name })
      .from(ads)
      .where(inArray(ads.id, idsOf(adKeys))),
    db
      .select({ key: campaigns.id, id: campaigns.publicId, name: campaigns.name })
      .from(campaigns)
      .where(inArray(campaigns.id, idsOf(campaignKeys))),
    db
      .select({ key: banners.id, id: banners.publicId, name: banners.title })
      .from(banners)
      .where(inArray(banners.id, idsOf(bannerKeys))),
    db
      .select({ key: placements.id, slug: placements.slug, currency: publishers.currency })
      .from(placements)
      .innerJoin(publishers, eq(publishers.id, placements.publisherId))
      .where(inArray(placements.id, idsOf(placementKeys))),
  ])
  return {
    ads: byKey(adRows),
    campaigns: byKey(campaignRows),
    banners: byKey(bannerRows),
    placements: new Map(placementRows.map(({ key, slug }) => [Number(key), slug])),
    currency: placementRows[0]?.currency,
  }
}

const idsOf = (keys: readonly number[]) => [...new Set(keys)].map(BigInt)

const byKey = (rows: readonly (Named & { readonly key: bigint })[]): ReadonlyMap<number, Named> =>
  new Map(rows.map(({ key, id, name }) => [Number(key), { id, name }]))

export async function findAdKey(db: Database, publicId: string): Promise<number | undefined> {
  const [found] = await db.select({ id: ads.id }).from(ads).where(eq(ads.publicId, publicId))
  return found && Number(found.id)
}

export async function findPlacementOfSlug(db: Database, slug: string) {
  const [found] = await db
    .select({
      id: placements.id,
      type: placements.type,
      siteId: slots.siteId,
      accountId: publishers.accountId,
    })
    .from(placements)
    .innerJoin(publishers, eq(publishers.id, placements.publisherId))
    .leftJoin(slots, and(eq(slots.placementId, placements.id), isNull(slots.deletedAt)))
    .where(and(eq(placements.slug, slug), isNull(placements.deletedAt)))
  if (found === undefined) return undefined
  const { id, type, siteId, accountId } = found
  return { key: Number(id), type, siteKey: keyOf(siteId), publisherKey: Number(accountId) }
}

/** The publisher with this public id, else the default one. */
export async function findPublisher(db: Database, publicId: string | undefined) {
  const [found] = await db
    .select({ id: publishers.id, accountId: publishers.accountId })
    .from(publishers)
    .innerJoin(accounts, eq(accounts.id, publishers.accountId))
    .where(
      and(
        isNull(publishers.deletedAt),
        isNull(accounts.deletedAt),
        publicId === undefined ? undefined : eq(publishers.publicId, publicId),
      ),
    )
    .orderBy(desc(publishers.isDefault), publishers.id)
    .limit(1)
  return found && { key: Number(found.id), accountKey: Number(found.accountId) }
}

export async function siteKeyOf(
  db: Database,
  placementId: bigint | null,
): Promise<number | undefined> {
  if (placementId === null) return undefined
  const [found] = await db
    .select({ siteId: slots.siteId })
    .from(slots)
    .where(and(eq(slots.placementId, placementId), isNull(slots.deletedAt)))
  return keyOf(found?.siteId) ?? undefined
}

const keyOf = (id: bigint | null | undefined) => (id == null ? null : Number(id))
