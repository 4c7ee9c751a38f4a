import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { Page } from '../../../platform/resources/index.ts'

/** A placement with its site and size. */
export interface OfferRecord {
  readonly key: string
  readonly publicId: string
  readonly slug: string
  readonly label: string
  readonly siteName: string | null
  readonly siteDomain: string | null
  readonly approvesCreatives: boolean
  readonly width: number | null
  readonly height: number | null
  readonly formats: readonly string[]
  readonly mode: 'direct' | 'auction' | 'hybrid'
  readonly currency: string
  readonly floorMicros: string
  readonly isOffered: boolean
}

interface OfferQuery {
  readonly page: Page
  /** Without it, every placement; with it, those that anybody may book by auction. */
  readonly onlyOffered: boolean
  readonly currency: string | undefined
  /** Public ids. */
  readonly only: readonly string[] | undefined
}

/** Placements that show ads now, by label, one more than the page holds. */
export async function listOffers(
  db: Database,
  { page, onlyOffered, currency, only }: OfferQuery,
): Promise<readonly OfferRecord[]> {
  const { cursor, search, limit } = page
  const words = (search ?? []).map(
    (word) => sql`and lower(p.label || ' ' || p.slug || ' '
    || coalesce(s.name || ' ' || s.domain, '')) like ${`%${word}%`}`,
  )
  const { rows } = await db.execute(sql`
    select p.id::text as key, p.public_id as "publicId", p.slug, p.label, s.name as "siteName",
           s.domain as "siteDomain", coalesce(s.approval_required, false) as "approvesCreatives",
           coalesce(p.recommended_width, t.width) as width,
           coalesce(p.recommended_height, t.height) as height, p.formats, p.mode, u.currency,
           p.floor_micros::text as "floorMicros", p.is_offered as "isOffered"
      from placements p join publishers u on u.id = p.publisher_id and u.deleted_at is null
      left join slots t on t.placement_id = p.id and t.deleted_at is null
      left join sites s on s.id = t.site_id
     where p.deleted_at is null and p.is_active
       and (s.id is null or (s.is_active and s.deleted_at is null and s.domain_state = 'proven'))
       ${onlyOffered ? sql`and p.is_offered and p.mode <> 'direct'` : sql``}
       ${currency === undefined ? sql`` : sql`and u.currency = ${currency}`}
       ${only === undefined ? sql`` : sql`and p.public_id::text = any(${sql.param([...only])}::text[])`}
       ${sql.join(words, sql` `)}
       ${cursor ? sql`and (p.label, p.public_id) > (${cursor.value}, ${cursor.publicId}::uuid)` : sql``}
     order by p.label, p.public_id limit ${limit + 1}`)
  return rows as unknown as OfferRecord[]
}

/** Whether everybody may book the placement by auction. */
export async function isOffered(db: Database, placementId: string): Promise<boolean> {
  const { rows } = await db.execute<{ offered: boolean }>(sql`
    select is_offered and mode <> 'direct' as offered from placements
     where public_id = ${placementId}::uuid and deleted_at is null`)
  return rows[0]?.offered === true
}
