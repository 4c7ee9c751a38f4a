import type { ClientBase } from 'pg'
import { plainArray, textArray } from '../../../platform/database/arrays.ts'
import { dateOf, type TrackedEvent } from '../intake/event.ts'
import type { Label } from '../intake/labels.ts'

export interface ProgressRows {
  readonly events: readonly TrackedEvent[]
  readonly batchId: bigint
}

/** How many events of a batch were new, by label. */
export type ProgressCounts = Readonly<Record<string, number>>

const BUCKET = `date_bin('15 minutes', occurred_at, timestamptz '2000-01-01 00:00:00Z')`

/** In the order of their keys, so that two batches with the same events wait for each other one way. */
const ADD_PROGRESS = `
  with fresh as (
    insert into progress_events (decision_day, decision_id, position, name, batch_id, budget_day, ad_id,
      assignment_id, banner_id, campaign_id, advertiser_id, placement_id, site_id, device_type,
      country_code, occurred_at, label)
    select date 'epoch' + e.decision_day, e.decision_id, e.position, e.name, $1::bigint,
           date 'epoch' + e.budget_day, e.ad_id, e.assignment_id, e.banner_id, e.campaign_id,
           e.advertiser_id, e.placement_id, e.site_id, e.device_type, e.country_code,
           to_timestamp(e.occurred_ms / 1000), e.label
      from unnest($2::integer[], $3::uuid[], $4::smallint[], $5::text[], $6::integer[], $7::bigint[],
                  $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[],
                  $14::text[], $15::text[], $16::float8[], $17::text[])
        as e (decision_day, decision_id, position, name, budget_day, ad_id, assignment_id, banner_id,
              campaign_id, advertiser_id, placement_id, site_id, device_type, country_code, occurred_ms,
              label)
     order by 1, 2, 3, 4
    on conflict do nothing
    returning ${BUCKET} as bucket, coalesce(campaign_id, 0) as campaign_id,
              coalesce(banner_id, 0) as banner_id, name, label
  ), added as (
    insert into progress_stats as sum (campaign_id, bucket, banner_id, name, label, events)
    select campaign_id, bucket, banner_id, name, label, count(*) from fresh
     group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (campaign_id, bucket, banner_id, name, label) do update
       set events = sum.events + excluded.events
  )
  select label, count(*)::integer as count from fresh group by label`

/** Stores what is new and adds it to the sums. */
export async function addProgress(
  client: ClientBase,
  { events, batchId }: ProgressRows,
): Promise<ProgressCounts> {
  if (events.length === 0) return {}
  const plain = (of: (event: TrackedEvent) => string | number | undefined) =>
    plainArray(events.map(of))
  const text = (of: (event: TrackedEvent) => string | undefined) => textArray(events.map(of))
  const { rows } = await client.query<{ label: Label; count: number }>({
    name: 'add-progress',
    text: ADD_PROGRESS,
    values: [
      batchId.toString(),
      plain(({ decisionDay }) => decisionDay),
      plain(({ decisionId }) => decisionId),
      plain(({ position }) => position),
      text(({ name }) => name),
      plain(({ budgetDay }) => budgetDay),
      plain(({ source, winnerKey }) => (source === 'ad' ? winnerKey : undefined)),
      plain(({ source, winnerKey }) => (source === 'assignment' ? winnerKey : undefined)),
      plain(({ bannerKey }) => bannerKey),
      plain(({ campaignKey }) => campaignKey),
      plain(({ advertiserKey }) => advertiserKey),
      plain(({ placementKey }) => placementKey),
      plain(({ siteKey }) => siteKey),
      text(({ deviceType }) => deviceType),
      text(({ countryCode }) => countryCode),
      plain(({ occurredAtMs }) => occurredAtMs),
      plain(({ label }) => label),
    ],
  })
  return Object.fromEntries(rows.map(({ label, count }) => [label, count]))
}

export interface Relabelled {
  readonly decisionDay: number
  readonly label: Label
  /** Of impressions that were relabelled in this transaction. */
  readonly eventIds: readonly string[]
}

const MOVE_PROGRESS = `
  with moved as (
    update progress_events e set label = $3
      from impressions i
     where i.decision_day = $1::date and i.event_id = any ($2::uuid[])
       and e.decision_day = i.decision_day and e.decision_id = i.decision_id
       and e.position = i.position and e.label = 'valid'
    returning ${BUCKET.replace('occurred_at', 'e.occurred_at')} as bucket,
              coalesce(e.campaign_id, 0) as campaign_id, coalesce(e.banner_id, 0) as banner_id, e.name
  ), changes as (
    select campaign_id, bucket, banner_id, name, count(*) as events from moved group by 1, 2, 3, 4
  )
  insert into progress_stats as sum (campaign_id, bucket, banner_id, name, label, events)
  select campaign_id, bucket, banner_id, name, side.label, side.sign * events
    from changes, (values ('valid', -1), ($3, 1)) as side (label, sign)
   order by 1, 2, 3, 4, 5
  on conflict (campaign_id, bucket, banner_id, name, label) do update
     set events = sum.events + excluded.events`

/** A film that nobody saw was not played to its end either: progress follows its impression. */
export async function moveProgress(
  client: ClientBase,
  { decisionDay, label, eventIds }: Relabelled,
): Promise<void> {
  await client.query(MOVE_PROGRESS, [dateOf(decisionDay), plainArray(eventIds), label])
}
