import type { PastRequest } from '@placard/decision-engine'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { type PackedWinner, unpackWinners } from '../records/record-line.ts'

const HOURS = 24

interface SampleQuestion {
  readonly placementKeys: readonly number[]
  readonly now: Date
  /** Of each placement in each hour. */
  readonly perHour: number
}

type SampleRow = {
  readonly placement: number
  readonly at: number
  readonly context: PastRequest['context']
  readonly floor: number
  readonly winners: readonly PackedWinner[]
  readonly user: string | null
}

/** A request of a reader whose counts can be looked up. */
export interface SampledRequest extends PastRequest {
  readonly userKey: string | undefined
}

/** The first requests of each of the last 24 hours, by placement. An index finds each hour. */
export async function sampleRequests(
  db: Database,
  { placementKeys, now, perHour }: SampleQuestion,
): Promise<SampledRequest[]> {
  const keys = `{${placementKeys.join()}}`
  const { rows } = await db.execute<SampleRow>(sql`
    select s.* from unnest(${keys}::bigint[]) as wanted(key)
      cross join generate_series(0, ${HOURS - 1}::int) as hour
      cross join lateral (
        select a.placement_id::float8 as placement, extract(epoch from a.auction_time)::float8 * 1000 as at,
               a.context, a.floor_micros::float8 as floor, a.winners, a.user_key as "user"
          from auctions a
         where a.placement_id = wanted.key
           and a.auction_time > ${now.toISOString()}::timestamptz - (hour + 1) * interval '1 hour'
           and a.auction_time <= ${now.toISOString()}::timestamptz - hour * interval '1 hour'
           and a.decided_on >= ((${now.toISOString()}::timestamptz - (hour + 1) * interval '1 hour') at time zone 'UTC')::date
           and a.decided_on <= ((${now.toISOString()}::timestamptz - hour * interval '1 hour') at time zone 'UTC')::date
         order by a.auction_time
         limit ${perHour}::int
      ) s`)
  return rows.map(({ placement, at, context, floor, winners, user }) => ({
    placementKey: placement,
    atMs: at,
    context,
    floorMicros: floor,
    winners: unpackWinners(winners),
    userKey: user ?? undefined,
    // Without the reader's counts no cap applies.
    userKnown: false,
  }))
}
