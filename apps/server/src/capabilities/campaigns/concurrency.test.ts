import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import { createRow, patchRow, removeRow, type Resource } from '../../platform/resources/index.ts'
import { freshDatabase } from '../../testing/services/database.ts'
import { actorOf, addAccount, depsOn } from '../../testing/world.ts'
import { banner } from '../creatives/resources.ts'
import { ad, adSet, advertiser, campaign } from './resources.ts'

async function aCampaign() {
  const connection = await freshDatabase()
  const deps = depsOn(connection)
  const account = await addAccount(deps, 'advertiser')
  const actor = { ...actorOf(account), principal: { ...actorOf(account).principal } }
  const add = async (resource: Resource, body: object) =>
    String((await createRow(deps, resource, { body: { ...body }, actor })).publicId)
  const advertiserId = await add(advertiser, {
    accountId: account.publicId,
    name: 'Northwind',
    currency: 'EUR',
  })
  const bannerId = await add(banner, {
    advertiserId,
    title: 'Autumn',
    primaryImageUrl: 'https://shop.example/a.png',
  })
  const campaignId = await add(campaign, { advertiserId, name: 'Autumn', maxBidMicros: 5_000_000n })
  const adSetId = await add(adSet, { campaignId, name: 'Shoes' })
  const adId = await add(ad, { adSetId, bannerId, name: 'Boots', bidMicros: 1_000_000n })
  /** In a transaction of its own, like a route. */
  const inOne = <Result>(work: (of: typeof deps) => Promise<Result>) =>
    deps.db.transaction((db) => work({ ...deps, db }))
  return { ...connection, actor, inOne, campaignId, adSetId, adId, bannerId }
}

const someoneWaits = async (pool: Pool) => {
  const { rows } = await pool.query(
    `select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].waiting as number
}

/** The same resource, paused between the lock on its row and the read of its parent. */
function paused(resource: Resource) {
  const reached = Promise.withResolvers<void>()
  const resume = Promise.withResolvers<void>()
  const pausedResource: Resource = {
    ...resource,
    async complete(...given) {
      reached.resolve()
      await resume.promise
      return (await resource.complete?.(...given)) ?? {}
    },
  }
  return { pausedResource, reached: reached.promise, resume: () => resume.resolve() }
}

test.each([
  ['an ad', ad, (world: World) => world.adId],
  ['an ad set', adSet, (world: World) => world.adSetId],
] as const)(
  'if %s is changed while its campaign is deleted, one waits for the other and both succeed',
  async (_, resource, idOf) => {
    const world = await aCampaign()
    const { inOne, actor, campaignId, pool } = world
    const { pausedResource, reached, resume } = paused(resource)
    const body = { name: 'New' }
    const change = inOne((deps) =>
      patchRow(deps, pausedResource, { publicId: idOf(world), actor, body }),
    )
    await reached
    const deletion = inOne((deps) =>
      removeRow(deps, campaign as unknown as Resource, { publicId: campaignId, actor }),
    )
    await expect.poll(() => someoneWaits(pool), { timeout: 10_000 }).toBe(1)
    resume()

    expect((await change).name).toBe('New')
    await deletion
  },
)

test('if an ad is added while its campaign is deleted, one waits for the other', async () => {
  const { inOne, actor, campaignId, adSetId, bannerId, pool } = await aCampaign()
  const { pausedResource, reached, resume } = paused(ad)
  const body = { adSetId, bannerId, name: 'Second', bidMicros: 1_000_000n }
  const creation = inOne((deps) => createRow(deps, pausedResource, { body, actor }))
  await reached
  const deletion = inOne((deps) =>
    removeRow(deps, campaign as unknown as Resource, { publicId: campaignId, actor }),
  )
  await expect.poll(() => someoneWaits(pool), { timeout: 10_000 }).toBe(1)
  resume()

  await creation
  await deletion
  const { rows } = await pool.query(
    'select count(*)::int as live from ads where deleted_at is null',
  )
  expect(rows[0].live).toBe(0)
})

type World = Awaited<ReturnType<typeof aCampaign>>
