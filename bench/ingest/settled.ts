import type { Pool } from 'pg'
import { createSettler, openIngestPool } from '../../apps/server/src/capabilities/tracking/index.ts'
import type { TrackedEvent } from '../../apps/server/src/capabilities/tracking/intake/event.ts'
import { openBaseline } from './copy-baseline.ts'
import { clock, ids, newEvents } from './market.ts'

/** The largest batch, as after a burst or from a spool. */
const BATCH = 10_000
const WINDOW_MS = 5_000
const WINDOWS = 5

type Settle = (events: readonly TrackedEvent[]) => Promise<unknown>

export const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Events per second in a window, without the time to create them. */
async function oneWindow(settle: Settle): Promise<number> {
  let busyMs = 0
  let settled = 0
  while (busyMs < WINDOW_MS) {
    const events = newEvents(BATCH)
    const start = performance.now()
    await settle(events)
    busyMs += performance.now() - start
    settled += BATCH
  }
  return (settled / busyMs) * 1_000
}

/** The same rows through one connection each, alternating. */
export async function measureSettled(url: string, say: (text: string) => void) {
  const pool = openIngestPool(url, 1)
  const settler = createSettler({ pool, node: 'bench', clock, ids })
  const settle: Settle = (events) => settler.settle(events, { countsRepeats: true })
  const baseline = await openBaseline(url)
  await oneWindow(settle)

  const pairs: { bare: number; ours: number }[] = []
  for (let round = 0; round < WINDOWS; round++) {
    const pair = { bare: await oneWindow(baseline.settle), ours: await oneWindow(settle) }
    say(`COPY ${pair.bare.toFixed(0)}/s, settled ${pair.ours.toFixed(0)}/s`)
    pairs.push(pair)
  }
  await baseline.close()
  await pool.end()
  return {
    settledPerSecond: Math.round(median(pairs.map(({ ours }) => ours))),
    copyPerSecond: Math.round(median(pairs.map(({ bare }) => bare))),
    copyRatio: Math.round(median(pairs.map(({ bare, ours }) => ours / bare)) * 1_000) / 1_000,
  }
}

/** The rate with 20 million rows in the current day, relative to 2 million. */
export async function measureDepth(url: string, pool: Pool, say: (text: string) => void) {
  const ingest = openIngestPool(url, 1)
  const settler = createSettler({ pool: ingest, node: 'bench', clock, ids })
  const settle: Settle = (events) => settler.settle(events, { countsRepeats: true })
  const rates: number[] = []
  // The first event of a day creates its partition.
  await settle(newEvents(1))
  for (const millions of [2, 20]) {
    await fillTo(pool, millions * 1_000_000)
    await oneWindow(settle)
    const windows: number[] = []
    for (let round = 0; round < WINDOWS; round++) windows.push(await oneWindow(settle))
    rates.push(median(windows))
    say(`with ${millions} million rows: ${rates.at(-1)!.toFixed(0)}/s`)
  }
  await ingest.end()
  return { settledAt20MRatio: Math.round((rates[1]! / rates[0]!) * 1_000) / 1_000 }
}

const STEP = 1_000_000

async function fillTo(pool: Pool, rows: number): Promise<void> {
  const { rows: counted } = await pool.query('select count(*)::integer as count from impressions')
  for (let count = counted[0].count; count < rows; count += STEP) {
    await pool.query(
      `insert into impressions (decision_day, event_id, batch_id, position, budget_day, ad_id, campaign_id, user_key,
                                page_url, occurred_at, received_at, clock, label, pricing, charge_micros, charged_millis, billing)
       select current_date, overlay(gen_random_uuid()::text placing
                substr(lpad(to_hex((extract(epoch from now()) * 1000)::bigint - 7200000 + i / 140), 12, '0'), 1, 8)
                || '-' || substr(lpad(to_hex((extract(epoch from now()) * 1000)::bigint - 7200000 + i / 140), 12, '0'), 9, 4)
                from 1 for 13)::uuid,
              1, 0, current_date, 1, 1, 'user', 'https://news.example/section/an-article-of-some-length', now(), now(),
              'on-time', 'bot', 'cpm', 0, 0, 'invalid'
         from generate_series(1, $1::integer) as i`,
      [Math.min(STEP, rows - count)],
    )
  }
  await pool.query('vacuum analyze impressions')
  await pool.query('checkpoint')
}
