import { ROLES } from '@placard/contract/accounts'
import { Placement } from '@placard/contract/inventory'
import { RuleType } from '@placard/contract/targeting'
import { beforeAll, expect, test } from 'vitest'
import {
  demoDepsOn,
  demoTemplate,
  readerOf,
  startDemo,
} from '../../../server/src/testing/worlds/demo.ts'
import { startServer, type TestServer } from '../../../server/src/testing/server.ts'
import { SIGN_INS } from './people.ts'
import { seedDemo } from './seed.ts'
import type { DemoDeps } from './world.ts'

let template: string

beforeAll(async () => {
  template = await demoTemplate()
})

const valuesOf = (rows: readonly Record<string, unknown>[], field: string) =>
  [...new Set(rows.map((row) => String(row[field])))].toSorted()

const sorted = (schema: { readonly enum: readonly string[] }) => [...schema.enum].toSorted()

test('the demo shows every layout, mode and type, every state, every rule and every role', async () => {
  const demo = await startDemo(template)
  const read = await readerOf(demo, 'operator')

  const placements = await read('/placements?limit=200')
  const { layoutType, mode, type } = Placement.properties
  expect(valuesOf(placements, 'layoutType')).toEqual(sorted(layoutType))
  expect(valuesOf(placements, 'mode')).toEqual(sorted(mode))
  expect(valuesOf(placements, 'type')).toEqual(sorted(type))

  const campaigns = await read('/campaigns?limit=200')
  expect(campaigns.length).toBeGreaterThanOrEqual(36)
  expect(valuesOf(campaigns, 'status')).toEqual(
    ['active', 'cancelled', 'draft', 'ended', 'paused', 'scheduled'].toSorted(),
  )
  expect(valuesOf(campaigns, 'pricing')).toEqual(['cpc', 'cpm'])
  expect(valuesOf(campaigns, 'currency')).toEqual(['EUR', 'GBP', 'USD'])
  expect(valuesOf(await read('/targeting-rules?limit=200'), 'ruleType')).toEqual(sorted(RuleType))
  expect(valuesOf(await read('/frequency/caps'), 'window')).toEqual(
    ['Day', 'Hour', 'Lifetime', 'Month', 'Week'].toSorted(),
  )

  const banners = await read('/banners?limit=200')
  expect(valuesOf(banners, 'format')).toEqual(['html', 'native', 'single_image', 'video'])
  expect(valuesOf(banners, 'scheduleStatus')).toEqual(
    ['active', 'evergreen', 'expired', 'scheduled'].toSorted(),
  )
  expect(valuesOf(await read('/creative-approvals?limit=200'), 'status')).toEqual(
    ['approved', 'pending', 'rejected'].toSorted(),
  )
  expect(valuesOf(await read('/users'), 'role')).toEqual([...ROLES].toSorted())
})

test('every user that the start names can sign in and sees rows of their account', async () => {
  const demo = await startDemo(template)

  const seen: Record<string, number> = {}
  for (const { email, role } of SIGN_INS) {
    const read = await readerOf(demo, email.split('@')[0]!)
    seen[email] = (await read(FIRST_LIST[role])).length
  }

  expect(Object.keys(seen).length).toBeGreaterThanOrEqual(6)
  expect(Object.values(seen).every((count) => count > 0)).toBe(true)
})

const FIRST_LIST = {
  operator: '/accounts',
  'ad-ops': '/campaigns',
  advertiser: '/campaigns',
  publisher: '/placements',
  trust: '/sessions',
}

test('one user connects from another country than declared, and one of their sessions is suspicious', async () => {
  const demo = await startDemo(template)
  const { rows } = await demo.connection.pool.query(
    `select (select count(*)::int from user_review_state where country_review_recommended) as reviews,
            (select count(*)::int from session_block_action where state = 'skipped_shadow') as blocks`,
  )

  expect(rows).toEqual([{ reviews: 1, blocks: 1 }])
})

test('seeding again changes nothing', async () => {
  const demo = await startDemo(template)
  const before = await countRows(demo)

  const isNew = await seedDemo(demoDepsOn(demo.deps))

  expect(isNew).toBe(false)
  expect(await countRows(demo)).toEqual(before)
})

test('a seed that fails near its end leaves no row behind', async () => {
  const server = await startServer()
  const deps = demoDepsOn(server.deps)
  const before = await countRows(server)

  const seeding = seedDemo({ ...deps, audit: breakingAudit })

  await expect(seeding).rejects.toThrow('planted failure')
  expect(await countRows(server)).toEqual(before)
})

/** Approvals are the last step. */
const breakingAudit: DemoDeps['audit'] = async (_db, { action }) => {
  if (action === 'creative-approval.reject') throw new Error('planted failure')
}

/** Row counts of every table. */
async function countRows({ connection }: TestServer): Promise<Record<string, number>> {
  const { rows } = await connection.pool.query(
    `select relname as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'migrations'`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of rows) {
    const { rows: counted } = await connection.pool.query(`select count(*)::int as n from ${name}`)
    counts[name] = counted[0].n
  }
  return counts
}

test('agents learn nothing from the invented past: bids start as booked', async () => {
  const demo = await startDemo(template)
  const { rows } = await demo.connection.pool.query(
    `select (select count(*) from bid_agents)::int as agents,
            (select count(*) from bid_judgements)::int as judgements`,
  )

  expect(rows).toEqual([{ agents: 0, judgements: 0 }])
})
