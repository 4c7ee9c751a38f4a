import type { ClientBase } from 'pg'
import { plainArray, textArray } from '../../../platform/database/arrays.ts'
import type { WinnerSource } from '../links/claims.ts'
import { dateOf, utcDayOf } from '../intake/event.ts'
import type { CapTarget, FrequencyCount } from './batch-sums.ts'
import type { Label } from '../intake/labels.ts'
import type { BilledEvent } from './store-events.ts'

/** Deliveries of one ad or banner on one placement within 15 minutes. */
export interface DeliverySum {
  readonly bucketMs: number
  readonly source: WinnerSource
  readonly winnerKey: number
  readonly placementKey: number
  readonly label: Label
  impressions: number
  views: number
  clicks: number
  overDelivered: number
  chargedMillis: bigint
}

const ADD_SUMS = `
  insert into delivery_stats as sum (bucket, source, winner_id, placement_id, label,
                                     impressions, views, clicks, over_delivered, charged_millis)
  select to_timestamp(bucket_ms / 1000), source, winner_id, placement_id, label,
         impressions, views, clicks, over_delivered, charged_millis
    from unnest($1::float8[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[],
                $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[])
      as added (bucket_ms, source, winner_id, placement_id, label,
                impressions, views, clicks, over_delivered, charged_millis)
   order by 1, 2, 3, 4, 5
  on conflict (bucket, source, winner_id, placement_id, label) do update
     set impressions = sum.impressions + excluded.impressions,
         views = sum.views + excluded.views,
         clicks = sum.clicks + excluded.clicks,
         over_delivered = sum.over_delivered + excluded.over_delivered,
         charged_millis = sum.charged_millis + excluded.charged_millis`

export async function addDeliverySums(client: ClientBase, sums: readonly DeliverySum[]) {
  if (sums.length === 0) return
  await client.query({
    name: 'add-delivery-sums',
    text: ADD_SUMS,
    values: [
      plainArray(sums.map(({ bucketMs }) => bucketMs)),
      plainArray(sums.map(({ source }) => source)),
      plainArray(sums.map(({ winnerKey }) => winnerKey)),
      plainArray(sums.map(({ placementKey }) => placementKey)),
      plainArray(sums.map(({ label }) => label)),
      plainArray(sums.map(({ impressions }) => impressions)),
      plainArray(sums.map(({ views }) => views)),
      plainArray(sums.map(({ clicks }) => clicks)),
      plainArray(sums.map(({ overDelivered }) => overDelivered)),
      plainArray(sums.map(({ chargedMillis }) => chargedMillis)),
    ],
  })
}

/**
 * Begins the transaction of a batch. Batches share a lock on each stats day; a rebuild of the day
 * takes it exclusively. One text, because each round trip counts.
 */
export async function beginBatch(client: ClientBase, bucketsMs: Iterable<number>): Promise<void> {
  const days = [...new Set([...bucketsMs].map(utcDayOf))].toSorted((a, b) => a - b)
  const locks = days.map(
    (day) =>
      `select pg_advisory_xact_lock_shared(hashtextextended('placard-stats ${dateOf(day)}', 0));`,
  )
  await client.query(`begin; ${locks.join(' ')}`)
}

/** After a failed statement COMMIT rolls back without an error. */
export async function commitBatch(client: ClientBase): Promise<void> {
  const { command } = await client.query('commit')
  if (command !== 'COMMIT') throw new Error('the batch was rolled back')
}

export interface CapOwners {
  readonly ads: readonly number[]
  readonly campaigns: readonly number[]
  readonly advertisers: readonly number[]
}

/** Which of these have a cap, and in which windows. */
export async function listCapTargets(client: ClientBase, owners: CapOwners): Promise<CapTarget[]> {
  if (owners.ads.length + owners.campaigns.length + owners.advertisers.length === 0) return []
  const { rows } = await client.query<Omit<CapTarget, 'key'> & { readonly key: string }>({
    name: 'cap-targets',
    text: `
      select 'ad' as scope, ad_id as key, "window" from frequency_caps where ad_id = any ($1::bigint[])
      union
      select 'campaign', campaign_id, "window" from frequency_caps where campaign_id = any ($2::bigint[])
      union
      select 'advertiser', advertiser_id, "window" from frequency_caps
       where advertiser_id = any ($3::bigint[])`,
    values: [plainArray(owners.ads), plainArray(owners.campaigns), plainArray(owners.advertisers)],
  })
  return rows.map(({ scope, key, window }) => ({
    scope,
    key: Number(key),
    window,
  }))
}

const COUNT = `
  count.user_key as "userKey", count.scope, count.target_id::float8 as key, count."window",
  extract(epoch from count.window_start)::float8 * 1000 as "startMs", count.impressions`

const ADD_COUNTS = `
  insert into frequency_counts as count (user_key, scope, target_id, "window", window_start, impressions)
  select user_key, scope, target_id, size, to_timestamp(start_ms / 1000), impressions
    from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::float8[], $6::integer[])
      as added (user_key, scope, target_id, size, start_ms, impressions)
   order by 1, 2, 3, 4, 5
  on conflict (user_key, scope, target_id, "window", window_start) do update
     set impressions = count.impressions + excluded.impressions
  returning ${COUNT}`

/** Returns the new counts. */
export async function addFrequencyCounts(
  client: ClientBase,
  counts: readonly FrequencyCount[],
): Promise<FrequencyCount[]> {
  if (counts.length === 0) return []
  const { rows } = await client.query<FrequencyCount>({
    name: 'add-frequency-counts',
    text: ADD_COUNTS,
    values: [...keysOf(counts), plainArray(counts.map(({ impressions }) => impressions))],
  })
  return rows
}

const LIST_COUNTS = `
  select ${COUNT}
    from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::float8[])
      as wanted (user_key, scope, target_id, size, start_ms)
    join frequency_counts count
      on (count.user_key, count.scope, count.target_id, count."window", count.window_start)
         = (wanted.user_key, wanted.scope, wanted.target_id, wanted.size, to_timestamp(start_ms / 1000))`

/** Marks days on which earlier events were charged now, so that their reports are rebuilt. */
export async function notePaid(
  client: ClientBase,
  batchId: bigint,
  paid: readonly BilledEvent[],
): Promise<void> {
  const days = [...new Set(paid.map(({ event }) => utcDayOf(event.occurredAtMs)))]
  await client.query(
    `update settled_batches
        set paid_days = array(select date 'epoch' + day from unnest($2::integer[]) as day order by 1)
      where id = $1`,
    [batchId.toString(), plainArray(days)],
  )
}

/** The current counts. A count that does not exist is missing. */
export async function listFrequencyCounts(
  client: ClientBase,
  counts: readonly FrequencyCount[],
): Promise<FrequencyCount[]> {
  if (counts.length === 0) return []
  const { rows } = await client.query<FrequencyCount>(LIST_COUNTS, keysOf(counts))
  return rows
}

const keysOf = (counts: readonly FrequencyCount[]) => [
  textArray(counts.map(({ userKey }) => userKey)),
  plainArray(counts.map(({ scope }) => scope)),
  plainArray(counts.map(({ key }) => key)),
  plainArray(counts.map(({ window }) => window)),
  plainArray(counts.map(({ startMs }) => startMs)),
]

export interface NewBatch {
  readonly node: string
  readonly events: number
  readonly decisionDays: readonly number[]
  readonly at: Date
}

/**
 * Records the batch in the order of transactions. Its number goes to its events and ledger entries.
 */
export async function addBatch(client: ClientBase, batch: NewBatch): Promise<bigint> {
  const { rows } = await client.query<{ id: string }>({
    name: 'add-batch',
    text: `
      insert into settled_batches (node, events, decision_days, settled_at)
      select $1, $2, array(select date 'epoch' + day from unnest($3::integer[]) as day order by 1), $4
      returning id`,
    values: [batch.node, batch.events, plainArray(batch.decisionDays), batch.at.toISOString()],
  })
  return BigInt(rows[0]!.id)
}
