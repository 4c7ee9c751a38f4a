import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { DAY_MS } from '@placard/calendar'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { TrackedEvent } from '../../apps/server/src/capabilities/tracking/intake/event.ts'

/** The least a database must do for the same rows: COPY to staging, INSERT … ON CONFLICT, commit. */
export async function openBaseline(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`
    drop table if exists bare_events;
    create table bare_events (like impressions including constraints, primary key (decision_day, event_id));
    create temp table staging (like impressions)`)
  return {
    async settle(events: readonly TrackedEvent[]) {
      await client.query('begin')
      const copy = client.query(copyFrom('copy staging from stdin'))
      await pipeline(Readable.from([events.map(lineOf).join('')]), copy)
      await client.query('insert into bare_events select * from staging on conflict do nothing')
      await client.query('truncate staging; commit')
    },
    close: () => client.end(),
  }
}

const date = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

function lineOf(e: TrackedEvent): string {
  const at = new Date(e.occurredAtMs).toISOString()
  return `${date(e.decisionDay)}\t${e.eventId}\t1\t${e.decisionId}\t0\t${date(e.budgetDay)}\t${e.winnerKey}\t\\N\t${e.bannerKey}\t${e.campaignKey}\t${e.advertiserKey}\t${e.placementKey}\t${e.siteKey}\t${e.userKey}\t${e.sessionId}\t${e.deviceType}\t${e.countryCode}\t${e.pageUrl}\t\\N\t${at}\t${at}\t${e.clock}\t${e.label}\t${e.pricing}\t${e.chargeMicros}\t${e.chargeMicros}\tcharged\n`
}
