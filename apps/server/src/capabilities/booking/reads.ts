import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'

export interface BannerName {
  readonly publicId: string
  readonly title: string
  readonly width: number | null
  readonly height: number | null
  readonly format: string
  readonly hasLanding: boolean
}

export interface PlacementName {
  readonly publicId: string
  readonly label: string
  readonly width: number | null
  readonly height: number | null
  readonly formats: readonly string[]
  readonly currency: string
  readonly siteDomain: string | null
}

/** What sentences about pairs name, by key. */
export interface PairNames {
  readonly banners: ReadonlyMap<number, BannerName>
  readonly placements: ReadonlyMap<number, PlacementName>
  /** Pairs that the site has refused already, as `banner placement`. */
  readonly rejected: ReadonlySet<string>
}

interface PairKeys {
  readonly bannerKey: number
  readonly placementKey: number
}

type Keyed<Row> = Row & { readonly key: number } & Record<string, unknown>

const keys = (values: readonly number[]) => sql`${`{${[...new Set(values)].join()}}`}::bigint[]`

export async function readPairNames(db: Database, pairs: readonly PairKeys[]): Promise<PairNames> {
  const bannerKeys = keys(pairs.map(({ bannerKey }) => bannerKey))
  const placementKeys = keys(pairs.map(({ placementKey }) => placementKey))
  const banners = await db.execute<Keyed<BannerName>>(sql`
    select id::float8 as key, public_id as "publicId", title, width, height, format,
           cta_url is not null as "hasLanding"
      from banners where id = any(${bannerKeys})`)
  const placements = await db.execute<Keyed<PlacementName>>(sql`
    select p.id::float8 as key, p.public_id as "publicId", p.label, p.recommended_width as width,
           p.recommended_height as height, p.formats, u.currency, s.domain as "siteDomain"
      from placements p join publishers u on u.id = p.publisher_id
      left join slots t on t.placement_id = p.id and t.deleted_at is null
      left join sites s on s.id = t.site_id
     where p.id = any(${placementKeys})`)
  const rejected = await db.execute<{ pair: string }>(sql`
    select a.banner_id || ' ' || t.placement_id as pair
      from creative_approvals a join slots t on t.site_id = a.site_id and t.deleted_at is null
     where a.status = 'rejected' and a.banner_id = any(${bannerKeys})
       and t.placement_id = any(${placementKeys})`)
  return {
    banners: new Map(banners.rows.map((row) => [row.key, row])),
    placements: new Map(placements.rows.map((row) => [row.key, row])),
    rejected: new Set(rejected.rows.map(({ pair }) => pair)),
  }
}
