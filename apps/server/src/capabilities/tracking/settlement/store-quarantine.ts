import type { Pool } from 'pg'

/** An event that cannot be settled, with the reason. Acknowledged events are never discarded. */
export interface Quarantined {
  readonly eventId: string
  readonly reason: 'poison' | 'too-old' | 'value'
  readonly detail: string
  /** JSON text, control characters escaped. */
  readonly event: string
  readonly receivedAt: Date
  readonly quarantinedAt: Date
}

/** False if it is there already. */
export async function addQuarantined(pool: Pool, quarantined: Quarantined): Promise<boolean> {
  const { rowCount } = await pool.query(
    `insert into quarantined_events (event_id, reason, detail, event, received_at, quarantined_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing`,
    [
      quarantined.eventId,
      quarantined.reason,
      quarantined.detail.replaceAll('\0', ''),
      quarantined.event,
      quarantined.receivedAt.toISOString(),
      quarantined.quarantinedAt.toISOString(),
    ],
  )
  return rowCount === 1
}

interface Name {
  readonly id: string
  readonly name: string
}

interface Names {
  readonly ad: Name | null
  readonly campaign: Name | null
  readonly banner: Name | null
}

export interface QuarantinedRow extends Names {
  readonly eventId: string
  readonly reason: string
  readonly detail: string
  readonly kind: string
  readonly receivedAt: Date
  readonly quarantinedAt: Date
}

interface FoundRow extends Omit<QuarantinedRow, keyof Names | 'kind'> {
  readonly event: string
}

/** The newest quarantined events, with their ad and campaign. */
export async function listQuarantined(pool: Pool, limit: number): Promise<QuarantinedRow[]> {
  const { rows } = await pool.query<FoundRow>(
    `select event_id as "eventId", reason, detail, event, received_at as "receivedAt",
            quarantined_at as "quarantinedAt"
       from quarantined_events
      order by quarantined_at desc, event_id
      limit $1`,
    [limit],
  )
  const subjects = rows.map(({ event }) => subjectOf(event))
  const names = await listNames(pool, subjects)
  return rows.map(({ eventId, reason, detail, receivedAt, quarantinedAt }, at) => ({
    eventId,
    reason,
    detail,
    receivedAt,
    quarantinedAt,
    kind: subjects[at]!.kind,
    ...names[at]!,
  }))
}

/** What a quarantined event was about, as far as its text says. */
interface Subject {
  readonly kind: string
  readonly adKey: number | null
  readonly campaignKey: number | null
  readonly bannerKey: number | null
}

const key = (value: unknown) => (Number.isSafeInteger(value) ? Number(value) : null)

/**
 * Parsed here because PostgreSQL refuses JSON with NUL, which may be the very reason for the
 * quarantine.
 */
function subjectOf(event: string): Subject {
  const said: Readonly<Record<string, unknown>> = parsed(event)
  return {
    kind: typeof said['kind'] === 'string' ? said['kind'] : 'unknown',
    adKey: said['source'] === 'ad' ? key(said['winnerKey']) : null,
    campaignKey: key(said['campaignKey']),
    bannerKey: key(said['bannerKey']),
  }
}

function parsed(event: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(event))
  } catch {
    return {}
  }
}

async function listNames(pool: Pool, subjects: readonly Subject[]): Promise<readonly Names[]> {
  const { rows } = await pool.query<Names>(
    `select case when a.id is not null then json_build_object('id', a.public_id, 'name', a.name) end as ad,
            case when c.id is not null then json_build_object('id', c.public_id, 'name', c.name) end as campaign,
            case when b.id is not null then json_build_object('id', b.public_id, 'name', b.title) end as banner
       from unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[])
            as s (at, ad_id, campaign_id, banner_id)
       left join ads a on a.id = s.ad_id
       left join campaigns c on c.id = coalesce(s.campaign_id, a.campaign_id)
       left join banners b on b.id = coalesce(s.banner_id, a.banner_id)
      order by s.at`,
    [
      subjects.map((_, at) => at),
      subjects.map(({ adKey }) => adKey),
      subjects.map(({ campaignKey }) => campaignKey),
      subjects.map(({ bannerKey }) => bannerKey),
    ],
  )
  return rows
}
