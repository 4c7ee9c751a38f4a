import { expect, onTestFinished, test } from 'vitest'
import { systemTimers } from '../../../server/src/platform/background/timers.ts'
import { addKey } from '../../../server/src/testing/server.ts'
import { demoTemplate, startDemo } from '../../../server/src/testing/worlds/demo.ts'
import { PLACEMENTS } from '../data/sellers.ts'
import { seededRandom } from '../../../server/src/testing/fixed.ts'
import { drawPlacement, startTraffic } from './traffic.ts'

test('the demo’s readers cause impressions, views and clicks, which are counted and charged', async () => {
  const { http, deps, connection } = await startDemo(await demoTemplate())
  const { rows } = await connection.pool.query(
    `select id, public_id as "publicId" from accounts where kind = 'platform' limit 1`,
  )
  const account = { id: BigInt(rows[0].id), publicId: rows[0].publicId }
  const { 'x-api-key': key } = await addKey({ deps }, { account, scopes: ['serving:write'] })
  const address = await http.listen({ host: '127.0.0.1', port: 0 })
  // A day passes in seconds, and clicks need no waiting time.
  const timers = {
    after(_ms: number, call: () => void) {
      deps.clock.advance(0.2)
      return systemTimers.after(2, call)
    },
  }
  const errors: unknown[] = []
  const traffic = startTraffic({
    address,
    timers,
    visitsPerSecond: 2,
    key,
    random: deps.random,
    onError: (error) => errors.push(error),
  })
  onTestFinished(() => traffic.stop())

  const count = async (query: string) =>
    (await connection.pool.query(query)).rows[0].count as number
  const wanted = [
    `select count(*)::integer from impressions where billing = 'charged'`,
    `select count(*)::integer from views where label = 'valid'`,
    `select count(*)::integer from clicks where label = 'valid'`,
  ]
  for (const query of wanted)
    await expect.poll(() => count(query), { timeout: 30_000 }).toBeGreaterThan(0)

  expect(errors).toEqual([])
})

test("the demo's readers visit the demo's own placements and buy in the publisher's currency", () => {
  const random = seededRandom()
  const visits = Array.from({ length: 500 }, () => drawPlacement(random))

  expect(new Set(visits.map(({ slug }) => slug))).toEqual(new Set(Object.keys(PLACEMENTS)))
  expect(new Set(visits.map(({ currency }) => currency))).toEqual(new Set(['EUR', 'GBP']))
})
