import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DAY_MS } from '@placard/calendar'
import type { Pool } from 'pg'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { connect } from '../../apps/server/src/platform/database/connect.ts'
import { startEmbedded } from '../../apps/server/src/platform/database/embedded.ts'
import { migrate, readMigrations } from '../../apps/server/src/platform/database/migrate.ts'
import { idsFrom } from '../../apps/server/src/platform/ids.ts'
import type { Claims } from '../../apps/server/src/capabilities/tracking/index.ts'
import {
  eventFrom,
  type TrackedEvent,
} from '../../apps/server/src/capabilities/tracking/intake/event.ts'
import { Dice } from '../engine/dice.ts'
import { SETTLED_IN } from '../postgres.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const ADVERTISERS = 50
const CAMPAIGNS = 1_000
const CAPPED_SHARE = 0.1
const PLACEMENTS_EACH = 3

export const clock = systemClock()
export const ids = idsFrom({ clock, random: systemRandom })

/** A database with fsync, 1,000 campaigns of 50 advertisers on three placements each, 10 % with a cap. */
export async function startMarket(settings: readonly string[] = []) {
  const folder = await mkdtemp(path.join(tmpdir(), 'placard-ingest-'))
  const server = await startEmbedded({
    folder,
    settings: [...SETTLED_IN, ...settings],
    progress: () => {},
  })
  const { pool, close } = connect({ url: server.url, connectionsMax: 4, statementTimeoutMs: 0 })
  await migrate(pool, await readMigrations(path.join(ROOT, 'apps/server/migrations')))
  await addCatalogue(pool)
  return {
    url: server.url,
    pool,
    async stop() {
      await close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function addCatalogue(pool: Pool): Promise<void> {
  await pool.query(`
    insert into accounts (public_id, kind, name, created_at, updated_at)
      values (gen_random_uuid(), 'advertiser', 'bench', now(), now());
    insert into advertisers (public_id, account_id, name, currency, budget_daily_micros, created_at, updated_at)
      select gen_random_uuid(), 1, 'a', 'EUR', 1e15, now(), now() from generate_series(1, ${ADVERTISERS});
    insert into campaigns (public_id, account_id, advertiser_id, name, budget_daily_micros, budget_total_micros, created_at, updated_at)
      select gen_random_uuid(), 1, 1 + i % ${ADVERTISERS}, 'c', 1e14, 1e15, now(), now()
        from generate_series(0, ${CAMPAIGNS - 1}) as i;
    insert into frequency_caps (public_id, account_id, campaign_id, max_impressions_per_user, "window", created_at, updated_at)
      select gen_random_uuid(), 1, id, 3, 'Day', now(), now() from campaigns order by id limit ${CAMPAIGNS * CAPPED_SHARE};
    analyze`)
}

const dice = new Dice(11)

/** One served ad; popular campaigns are shown more often than others. */
export function newClaims(): Claims {
  const nowMs = clock.now().getTime()
  const campaignKey = 1 + Math.floor(CAMPAIGNS * dice.next() * dice.next())
  const day = Math.floor(nowMs / DAY_MS)
  return {
    kind: 'impression',
    decisionId: ids.next(),
    position: 0,
    utcDay: day,
    budgetDay: day,
    winner: {
      source: 'ad',
      key: campaignKey,
      bannerKey: campaignKey,
      campaignKey,
      advertiserKey: 1 + ((campaignKey - 1) % ADVERTISERS),
    },
    placementKey: 1 + ((campaignKey * 7 + Math.floor(dice.next() * PLACEMENTS_EACH)) % 20),
    siteKey: 1,
    userKey: `user-${Math.floor(dice.next() * 1_000_000)}`,
    pricing: 'cpm',
    chargeMicros: 1_000_000 + Math.floor(dice.next() * 3_000_000),
    reservationId: undefined,
    holdId: undefined,
    issuedAtMs: nowMs,
  }
}

export function newEvents(count: number): TrackedEvent[] {
  const nowMs = clock.now().getTime()
  const its = {
    sessionId: 'session-0123456789',
    deviceType: 'mobile',
    countryCode: 'DE',
    pageUrl: 'https://news.example/section/an-article-of-some-length',
    occurredAtMs: nowMs,
    receivedAtMs: nowMs,
    clock: 'on-time',
    label: 'valid',
  } as const
  return Array.from({ length: count }, () => eventFrom(newClaims(), 'impression', its))
}
