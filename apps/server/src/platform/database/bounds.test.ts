import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { aServingWorld } from '../../testing/worlds/serving-world.ts'
import { MIGRATIONS } from './migrate.ts'

test('old amounts beyond the bound are brought to it, and the audit log says so', async () => {
  const world = await aServingWorld()
  const placement = await world.addPlacement({ type: 'feed' })
  const { campaign, ad } = await world.addBidder(placement, 5_000_000n)
  const { pool } = world
  await pool.query('update advertisers set budget_daily_micros = 999999999999999999')
  await pool.query('update ads set bid_micros = 1000000000000000')
  await pool.query('update campaigns set budget_total_micros = 999999999999999')

  await pool.query(await readFile(path.join(MIGRATIONS, '0116_amounts_have_one_bound.sql'), 'utf8'))

  const { rows: now } = await pool.query(
    `select (select budget_daily_micros from advertisers), (select bid_micros from ads),
            (select version from campaigns where id = ${campaign.id}) as version`,
  )
  expect(now).toEqual([
    { budget_daily_micros: '999999999999999', bid_micros: '999999999999999', version: 1 },
  ])
  const { rows: audited } = await pool.query(
    `select actor_kind, entity, entity_id, before, after from audit_log order by entity`,
  )
  expect(audited).toEqual([
    {
      actor_kind: 'system',
      entity: 'ad',
      entity_id: ad.publicId,
      before: { bidMicros: '1000000000000000' },
      after: { bidMicros: '999999999999999' },
    },
    {
      actor_kind: 'system',
      entity: 'advertiser',
      entity_id: world.advertiser.publicId,
      before: { budgetDailyMicros: '999999999999999999' },
      after: { budgetDailyMicros: '999999999999999' },
    },
  ])
})
