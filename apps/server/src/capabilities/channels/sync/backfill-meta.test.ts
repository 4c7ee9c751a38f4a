import { expect, test } from 'vitest'
import {
  impressionsOf,
  startFakeGraph,
  type Trouble,
} from '../../../testing/services/fake-graph.ts'
import { aChannelWorld, secretBox } from '../../../testing/worlds/channel-world.ts'
import { changeConnection } from '../connections/operations.ts'
import { metaProvider } from '../providers/meta.ts'
import { backfillJob } from './jobs.ts'
import { createBackfill } from './operations-requests.ts'
import { silentLog } from '../../../testing/silent-log.ts'

/** Repeats this list of troubles for ever. Most calls meet none. */
function troublesForEver(troubles: readonly Trouble[]) {
  let at = 0
  return () => troubles[at++ % troubles.length]!
}

async function backfillThrough(troubles: readonly Trouble[], range: { from: string; to: string }) {
  const world = await aChannelWorld({ provider: 'meta', externalId: 'act_9', credentials: 'first' })
  const { deps, shop } = world
  const campaign = await shop.addRunning({ externalId: '1' })
  const { adSetId, adId } = await shop.addAd(campaign)
  await deps.db.execute(`update ad_sets set external_id = '2' where public_id = '${adSetId}'`)
  await deps.db.execute(`update ads set external_id = '3' where public_id = '${adId}'`)
  const graph = await startFakeGraph(
    { campaign: ['1'], adset: ['2'], ad: ['3'] },
    troublesForEver(troubles),
  )
  const meta = metaProvider({
    clock: deps.clock,
    baseUrl: graph.baseUrl,
    timeoutMs: 5_000,
    pause: async () => {},
  })
  const syncing = { ...world.syncing, providers: { ...world.syncing.providers, meta } }
  const body = { advertiserId: shop.advertiserId, ...range }
  const made = await createBackfill({ ...deps, jobs: undefined }, { body, actor: shop.actor })
  const context = { log: silentLog(), signal: new AbortController().signal, progress: () => {} }
  const status = async () =>
    (await deps.db.execute('select status, days_done, waits_until from channel_backfills')).rows[0]!

  for (let runs = 0; runs < 60 && (await status())['status'] !== 'succeeded'; runs++) {
    await backfillJob
      .run({ backfillId: String(made.publicId) }, syncing, context)
      .catch(async (error: Error) => {
        if (!error.message.includes('token has expired')) return
        await changeConnection(
          { ...deps, secretBox, isMockAllowed: true },
          { publicId: shop.connectionId, actor: shop.actor, body: { credentials: graph.token } },
        )
      })
    const waits = (await status())['waits_until']
    if (waits) deps.clock.moveTo(new Date(waits as string).toISOString())
  }
  return { world, graph, status }
}

const DAYS = 23
const quiet = (calls: number): Trouble[] => Array.from({ length: calls }, () => 'none')

test.each<[string, readonly Trouble[]]>([
  ['nothing goes wrong', ['none']],
  ['each answer asks for a pause', ['used-up']],
  ['some answers are a rate limit', [...quiet(6), 'limit', ...quiet(4)]],
  ['some tokens expire', [...quiet(3), 'expired', ...quiet(9)]],
  ['some answers fail', ['busy', 'none', 'broken', ...quiet(9)]],
  ['all of it', ['used-up', 'busy', ...quiet(3), 'limit', ...quiet(8), 'expired', ...quiet(9)]],
])(
  'a backfill over weeks has every day of every level exactly as Meta reports it: %s',
  async (_, troubles) => {
    const range = { from: '2026-05-01', to: `2026-05-${DAYS}` }

    const { world, graph, status } = await backfillThrough(troubles, range)

    expect(await status()).toMatchObject({ status: 'succeeded', days_done: DAYS })
    expect(graph.calls['reports']).toBeGreaterThanOrEqual(3)
    const { rows } = await world.deps.db.execute(`
      select entity_type, stat_date::text as day, impressions::int from ad_stats_daily order by 1, 2`)
    const expected = [
      ['AD', '3'],
      ['ADSET', '2'],
      ['CAMPAIGN', '1'],
    ].flatMap(([type, id]) =>
      Array.from({ length: DAYS }, (_, at) => {
        const day = `2026-05-${String(at + 1).padStart(2, '0')}`
        return { entity_type: type, day, impressions: impressionsOf(id!, day) }
      }),
    )
    expect(rows).toEqual(expected)
  },
)

test('a short backfill requests day by day, without reports', async () => {
  const { graph, status } = await backfillThrough(['none', 'limit'], {
    from: '2026-05-01',
    to: '2026-05-03',
  })

  expect(await status()).toMatchObject({ status: 'succeeded', days_done: 3 })
  expect(graph.calls).toMatchObject({ reports: 0, insights: 9 })
})
