import { expect, test } from 'vitest'
import { startMailServer } from '../../../testing/services/mail-server.ts'
import { aChannelWorld, type ChannelWorld } from '../../../testing/worlds/channel-world.ts'
import { noticesOn } from '../../notices/testing.ts'
import { watch } from './operations.ts'
import { syncLevel } from '../sync/operations-sync.ts'

const { signal } = new AbortController()

async function alertsOf({ deps }: ChannelWorld) {
  const { rows } = await deps.db.execute(
    'select kind, closed_at is null as open, reason from channel_alerts order by id',
  )
  return rows as { kind: string; open: boolean; reason: string }[]
}

const look = ({ deps }: ChannelWorld) => watch(deps, signal)

const sync = ({ syncing, shop }: ChannelWorld) =>
  syncLevel(
    syncing,
    { advertiserId: shop.advertiserId, level: 'CAMPAIGN', from: '2026-06-15', to: '2026-06-15' },
    signal,
  )

test('an alert opens once, keeps its latest reason, and closes when the problem ends', async () => {
  const world = await aChannelWorld()
  await world.shop.addRunning()
  await look(world)
  world.deps.clock.moveTo('2026-06-15T18:00:00Z')
  await look(world)
  expect(await alertsOf(world)).toEqual([
    {
      kind: 'under-delivery',
      open: true,
      reason: 'Only 0.00 EUR of 100.00 EUR is spent (0 %) after 75 % of the day.',
    },
  ])

  await sync(world)
  await look(world)
  expect(await alertsOf(world)).toMatchObject([{ kind: 'under-delivery', open: false }])
})

test('a campaign that runs here is judged by the ledger and its advertiser’s day', async () => {
  const world = await aChannelWorld({ provider: 'onsite' })
  await world.shop.addRunning()
  await world.deps.db.execute(`
    insert into budget_days (scope, owner_id, day, limit_micros, spent_micros)
    select 'campaign', id, '2026-06-15', 100000000, 99500000 from campaigns`)

  await look(world)

  expect(await alertsOf(world)).toMatchObject([{ kind: 'exhausted-early', open: true }])
  await world.deps.db.execute(`update campaigns set status = 'paused'`)
  await look(world)
  expect(await alertsOf(world)).toMatchObject([{ open: false }])
})

test('an alert about a failing connection stays open until it works', async () => {
  const world = await aChannelWorld()
  await world.deps.db.execute(
    `update channel_connections set failing_since = '2026-06-15T11:30:00Z', failure = 'no answer'`,
  )
  await look(world)
  await look(world)
  expect(await alertsOf(world)).toEqual([
    { kind: 'sync-failing', open: true, reason: 'No figures for 30 minutes: no answer' },
  ])

  await world.deps.db.execute('update channel_connections set failing_since = null')
  await look(world)
  expect(await alertsOf(world)).toMatchObject([{ open: false }])
})

test('a recipient gets one notice of a new alert per day and campaign', async () => {
  const { url: smtpUrl, mails } = await startMailServer()
  const world = await aChannelWorld()
  const { deps, shop } = world
  const { addRecipient, sendDue } = noticesOn(deps, { smtpUrl })
  const { rows } = await deps.db.execute('select account_id from advertisers')
  const account = { id: BigInt(rows[0]!['account_id'] as string), kind: 'advertiser' }
  await addRecipient(account, { mailTo: ['ada@northwind.example'], topics: ['under-delivery'] })
  await shop.addRunning()

  await look(world)
  await look(world)
  await deps.db.execute('update channel_alerts set closed_at = now()')
  await look(world)
  await sendDue()

  expect(mails).toHaveLength(1)
  expect(mails[0]!.raw).toContain('Subject: Campaign delivers too little: ')
  expect(mails[0]!.raw).toContain('is spent (0 %) after 50 % of the day')
})
