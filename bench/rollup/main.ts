import { execFileSync } from 'node:child_process'
import { loadavg } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { DAY_MS } from '@placard/calendar'
import { answerReport } from '../../apps/server/src/capabilities/reports/operations.ts'
import { addSettled } from '../../apps/server/src/capabilities/reports/cube/store-cube.ts'
import { rebuildDay } from '../../apps/server/src/capabilities/reports/cube/store-rebuild-day.ts'
import { median, onScratchDatabase, rounded, type Scratch, say } from '../scratch.ts'
import { measureSync } from './sync.ts'
import { addCampaignDays, addCatalogue, addEvents, CAMPAIGNS, DAY } from './rows.ts'

/**
 * The rate at which sums follow settlement; the cost of rebuilding a day, relative to the bare statement over the
 * same rows; the time of a report over 90 days and 10,000 campaigns; the peak memory of an export of a million rows;
 * the time of one tick that syncs 10,000 advertisers on three levels.
 */
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '5000000' },
    windows: { type: 'string', default: '3' },
    advertisers: { type: 'string', default: '10000' },
  },
})
/** A database with enough memory for its day, as in production. */
const SETTINGS = ['shared_buffers=2GB', 'max_wal_size=8GB']
const PLATFORM = { kind: 'platform', accountId: 0n } as const
const EXPORT_DAYS = 100
const REPORT_DAYS = 90
const REPORTS = 20

async function measure(scratch: Scratch) {
  const { pool, db } = scratch
  const events = Number(values.events)
  say(`Writing ${events} impressions of ${CAMPAIGNS} campaigns`)
  await addCatalogue(pool)
  await addEvents(pool, events)

  const began = performance.now()
  for (let more = true; more;) ({ hasMore: more } = await addSettled(db, new Date()))
  const addedSeconds = (performance.now() - began) / 1_000
  say(`Added in ${rounded(addedSeconds)} s`)

  const { rerunRatio, rerunSeconds, baselineSeconds } = await compareReruns(scratch)
  await addCampaignDays(pool, EXPORT_DAYS)
  return {
    eventsPerSecond: Math.round(events / addedSeconds),
    rerunRatio,
    rerunSeconds,
    baselineSeconds,
    ...(await measureReport(scratch)),
    ...exportFigures(scratch),
    ...(await measureSync(scratch, Number(values.advertisers))),
    events,
  }
}

/** The bare statement: groups the same rows by the same dimensions, once. */
const BARE = `
  insert into bare_cube
  select date_bin('15 minutes', occurred_at, timestamptz '2000-01-01'), campaign_id, ad_id, banner_id,
         placement_id, site_id, country_code, device_type, label, budget_day, advertiser_id,
         count(*), sum(charged_millis)
    from impressions
   where occurred_at >= '${DAY}T00:00Z' and occurred_at < '${DAY}T00:00Z'::timestamptz + interval '1 day'
   group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`

async function compareReruns({ pool, db }: Scratch) {
  await pool.query(`create table bare_cube (bucket timestamptz, campaign_id bigint, ad_id bigint, banner_id bigint,
    placement_id bigint, site_id bigint, country text, device text, label text, budget_day date, advertiser_id bigint,
    impressions bigint, charged_millis numeric, primary key (bucket, campaign_id, ad_id, banner_id, placement_id,
    site_id, country, device, label, budget_day, advertiser_id))`)
  // In production, settlement adds to the delivery sums. Here the first run does.
  await rebuildDay(db, DAY)
  const bare: number[] = []
  const reruns: number[] = []
  for (let window = 0; window < Number(values.windows); window++) {
    await pool.query('truncate bare_cube')
    bare.push(await secondsOf(() => pool.query(BARE)))
    reruns.push(await secondsOf(() => rebuildDay(db, DAY)))
    say(`Bare ${rounded(bare.at(-1)!)} s, a day anew ${rounded(reruns.at(-1)!)} s`)
    await pool.query('vacuum stats_cube, campaign_stats, delivery_stats')
  }
  return {
    rerunRatio: rounded(median(reruns) / median(bare), 2),
    rerunSeconds: rounded(median(reruns), 2),
    baselineSeconds: rounded(median(bare), 2),
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1_000
}

const dayAfter = (days: number) =>
  new Date(Date.parse('2026-01-01') + days * DAY_MS).toISOString().slice(0, 10)

const question = (days: number) => ({
  dimensions: ['day' as const, 'campaign' as const],
  metrics: ['impressions' as const, 'clicks' as const, 'ctr' as const, 'spendMicros' as const],
  from: '2026-01-01',
  to: dayAfter(days - 1),
})

async function measureReport({ db }: Scratch) {
  const seconds: number[] = []
  for (let round = 0; round < REPORTS; round++) {
    seconds.push(await secondsOf(() => answerReport(db, question(REPORT_DAYS), PLATFORM)))
  }
  return { reportMs: Math.round(median(seconds.slice(3)) * 1_000) }
}

/** Runs in its own process with a limited heap. */
function exportFigures({ pool }: Scratch): object {
  const url = String(pool.options.connectionString)
  const program = path.join(import.meta.dirname, 'export.ts')
  const args = [...HEAP, program, url, JSON.stringify(question(EXPORT_DAYS))]
  const output = execFileSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { ...(JSON.parse(output) as object), exportRows: EXPORT_DAYS * CAMPAIGNS }
}

/** Megabytes. Without a limit, uncollected garbage would hide how much memory is needed. */
const HEAP = ['--max-old-space-size=48', '--max-semi-space-size=1']

const figures = { ...(await onScratchDatabase(measure, SETTINGS)), loadAverage: loadavg()[0] }
console.log(JSON.stringify(figures))
