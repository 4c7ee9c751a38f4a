import path from 'node:path'
import { DAY_SECONDS } from '@placard/calendar'
import { expect, test } from 'vitest'
import { addKey } from '../../../testing/server.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { aServingWorld, type ServingWorld } from '../../../testing/worlds/serving-world.ts'
import { BROWSER, startWhole } from '../../../testing/worlds/whole-world.ts'
import { clearSegmentsJob } from '../../decisions/jobs.ts'
import { eraseFromDeliveries } from '../../events-out/delivery/store.ts'
import { forgetUsersJob } from '../jobs.ts'

const USER = 'ada-of-the-gazette'
const SESSION = 'session-of-ada'

const CONTEXT = { progress() {}, signal: new AbortController().signal, log: silentLog() }

const KEY_COLUMN = '^(user|session|address)_key$|^session_id$'
const KEYS = [
  'auctions.address_key',
  'auctions.session_key',
  'auctions.user_key',
  'clicks.session_id',
  'clicks.user_key',
  'conversions.user_key',
  'first_visits.user_key',
  'frequency_counts.user_key',
  'impressions.session_id',
  'impressions.user_key',
  'user_segments.user_key',
  'views.session_id',
  'views.user_key',
]
const OF_PEOPLE_WHO_SIGN_IN = ['factor_challenges.session_id', 'refresh_tokens.session_id']
/** For a day the nodes learn from them that the reader is to be forgotten. */
const PASSING = ['forgotten_users.user_key', 'user_segments.user_key']
/** Texts with a key inside. */
const INSIDE = [
  'quarantined_events.event',
  'waiting_conversions.conversion',
  'webhook_deliveries.body',
]

/** A publisher's reader of whom every table that can knows something. */
async function aKnownReader() {
  const world = await aServingWorld()
  const placement = await world.addPlacement({ type: 'feed', mode: 'auction' })
  const campaign = await world.addCampaign()
  await world.addCampaignPlacement(campaign, placement)
  const banner = await world.addBanner({ ctaUrl: 'https://shop.example/' })
  await world.addAd(campaign, 5_000_000n, banner)
  await world.pool.query(
    `insert into frequency_caps (public_id, account_id, campaign_id, max_impressions_per_user,
                                 "window", created_at, updated_at)
     values (gen_random_uuid(), $1, $2, 9, 'Day', now(), now())`,
    [world.buyer.id, campaign.id],
  )
  const whole = await startWhole(world)
  const seller = await addKey(whole, { account: world.seller, scopes: ['serving:write'] })
  const buyer = await addKey(whole, { account: world.buyer, scopes: ['campaigns:write'] })
  const segments = { method: 'PUT', url: `/api/v1/users/${USER}/segments` } as const
  await whole.http.inject({ ...segments, headers: seller, payload: { segments: ['vip'] } })
  const { eventToken, clickUrl } = await whole.serveAd({ placement: 'home-top', userId: USER })
  for (const kind of ['impression', 'view', 'click']) {
    world.deps.clock.advance(2)
    const token = kind === 'click' ? path.basename(clickUrl!) : eventToken
    await whole.post('/t/e', { events: [{ token, kind, sessionId: SESSION }] })
  }
  for (const valueMicros of ['20000000', '900000000000']) {
    const body = { advertiserId: world.advertiser.publicId, kind: 'purchase', userId: USER }
    const order = {
      eventId: `o ${valueMicros}`,
      orderId: valueMicros,
      valueMicros,
      currency: 'EUR',
    }
    await whole.post('/api/v1/conversions', { ...body, ...order }, buyer)
  }
  await whole.http.inject({
    url: `/api/v1/banners/serve/home-top?userId=${USER}&sessionId=${SESSION}`,
    headers: BROWSER,
  })
  await expect
    .poll(() => columnsWithKeys(world), { timeout: 20_000 })
    .toEqual(expect.arrayContaining(['auctions.address_key', 'views.user_key', 'clicks.user_key']))
  return { world, whole }
}

/** What only stands in a table for a moment, written as the program writes it. */
async function addPassing({ pool }: ServingWorld, userKey: string): Promise<void> {
  await pool.query(
    `insert into waiting_conversions (note_id, conversion, received_at) values (1, $1, now())`,
    [{ kind: 'purchase', userKey }],
  )
  const { rows } = await pool.query<{ id: string }>(
    `insert into webhook_endpoints (public_id, created_at, updated_at, name, url, event_types, sealed_secret)
     values (gen_random_uuid(), now(), now(), 'Books', 'https://books.example/', array['ads.click.tracked.v1'], '') returning id`,
  )
  await pool.query(
    `insert into webhook_deliveries (public_id, webhook_endpoint_id, event_id, event_type, subject, body,
                                     status, due_at, occurred_at, created_at)
     values (gen_random_uuid(), $1, gen_random_uuid(), 'ads.click.tracked.v1', '', $2, 'dead', now(), now(), now())`,
    [rows[0]!.id, JSON.stringify({ data: { adId: '1', userId: userKey, label: 'valid' } })],
  )
}

/** Every column of every table, as `table.column`, whose text fulfils the condition in some row. */
async function columnsWhere({ pool }: ServingWorld, condition: string, ...values: string[]) {
  const { rows: columns } = await pool.query<{ table: string; column: string }>(
    `select c.relname as table, attname as column
       from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  const found = columns.map(
    ({ table, column }) =>
      `select '${table}.${column}' as name from (select "${column}"::text as text from "${table}") t
        where ${condition.replaceAll('{column}', `'${column}'`)} group by 1`,
  )
  const { rows } = await pool.query<{ name: string }>(
    `${found.join(' union all ')} order by 1`,
    values,
  )
  return rows.map(({ name }) => name)
}

/** There is only one reader. */
async function columnsWithKeys(world: ServingWorld) {
  const found = await columnsWhere(world, `text is not null and {column} ~ $1`, KEY_COLUMN)
  return found.filter((name) => !OF_PEOPLE_WHO_SIGN_IN.includes(name))
}
const columnsWith = (world: ServingWorld, text: string) =>
  columnsWhere(world, `position($1 in text) > 0`, text)

test('a user who asked for erasure is in no table any more, by id, by key, by session or by address', async () => {
  const { world, whole } = await aKnownReader()
  const { pool, db, deps } = world
  const { rows } = await pool.query<{ key: string }>('select user_key as key from first_visits')
  const { key } = rows[0]!
  await addPassing(world, key)
  expect(await columnsWithKeys(world)).toEqual(KEYS.toSorted())
  expect(await columnsWith(world, key)).toEqual(
    [...KEYS.filter((name) => name.endsWith('user_key')), ...INSIDE].toSorted(),
  )
  expect(await columnsWith(world, USER)).toEqual([])

  await whole.adminPost('/api/v1/privacy/forget', { userId: USER })
  const { clock } = deps
  const eraseFrom = eraseFromDeliveries.bind(undefined, db)
  await forgetUsersJob.run({}, { pool, clock, eraseFromDeliveries: eraseFrom }, CONTEXT)

  expect(await columnsWithKeys(world)).toEqual(PASSING)
  expect(await columnsWith(world, key)).toEqual(PASSING)
  clock.advance(2 * DAY_SECONDS)
  await forgetUsersJob.run({}, { pool, clock, eraseFromDeliveries: eraseFrom }, CONTEXT)
  await clearSegmentsJob.run({}, { db, clock }, CONTEXT)
  expect(await columnsWithKeys(world)).toEqual([])
  expect(await columnsWith(world, key)).toEqual([])
})

test('no column with a key of a reader is left out of this walk', async () => {
  const world = await aServingWorld()
  const { rows } = await world.pool.query<{ name: string }>(
    `select c.relname || '.' || attname as name
       from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and attname ~ $1`,
    [KEY_COLUMN],
  )
  const listed = [...KEYS, 'forgotten_users.user_key', ...OF_PEOPLE_WHO_SIGN_IN]

  expect(rows.map(({ name }) => name).toSorted()).toEqual(listed.toSorted())
})
