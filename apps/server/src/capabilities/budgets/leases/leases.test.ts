import type { Pool } from 'pg'
import { describe, expect, test } from 'vitest'
import { aFleet, type FleetNode } from '../../../testing/worlds/lease-world.ts'
import { post } from '../ledger/admit-charges.ts'
import { lockLedgerAccounts, type Payer } from '../ledger/store-ledger-accounts.ts'
import { postCredits } from '../ledger/store-credits.ts'
import { applyLimits } from '../ledger/store-limits.ts'
import { sumStrandedMicros } from './store-lease-returns.ts'
import { addAllowance } from '../pacers/store-resets.ts'

/** Reserves until the node refuses, at most `max` times. */
function reserveAll(node: FleetNode, costMicros: number, max = 1_000) {
  const reserved = []
  for (let i = 0; i < max; i++) {
    const reservation = node.reserve(costMicros)
    if (reservation === undefined) break
    reserved.push(reservation)
  }
  return reserved
}

const sumOf = (reserved: readonly { costMicros: number }[]) =>
  reserved.reduce((sum, { costMicros }) => sum + costMicros, 0)

describe('a node’s leases', () => {
  test('a node spends only what it has leased, from the first request on', async () => {
    const { startNode, books } = await aFleet({ dailyMicros: 50_000 })
    const node = startNode()
    expect(node.reserve(1_000)).toBeUndefined()

    await node.refill()

    expect(sumOf(reserveAll(node, 1_000))).toBe(50_000)
    expect(await books()).toMatchObject([
      { leased: 50_000 },
      { leased: 50_000 },
      { leased: 50_000 },
    ])
  })

  test('a node needs no lease without a budget', async () => {
    const { startNode } = await aFleet()
    const node = startNode()

    expect(node.reserve(1_000)).toBeDefined()
    await node.refill()

    expect(node.nodeLeases.leasedMicros).toBe(0)
  })

  test('a node leases about ten seconds of spend, and returns it when the spending ends', async () => {
    const { startNode } = await aFleet({ dailyMicros: 1_000_000_000 })
    const node = startNode()
    await node.refill()
    const idleMicros = node.nodeLeases.leasedMicros

    for (let second = 0; second < 30; second++) {
      reserveAll(node, 100_000, 60)
      node.advance(1)
      await node.keeper.refill()
    }
    const busyMicros = node.nodeLeases.leasedMicros
    for (let round = 0; round < 20; round++) await node.refill()

    expect(idleMicros).toBe(20_000_000)
    expect(busyMicros).toBeGreaterThan(60 * 100_000 * 10)
    node.advance(120)
    for (let sweeps = 0; sweeps < 3; sweeps++) node.book.sweep()
    for (let round = 0; round < 20; round++) await node.refill()
    expect(node.nodeLeases.leasedMicros).toBeLessThanOrEqual(2 * idleMicros)
  })

  test('while the database is unavailable, a node spends the leases it has and no more', async () => {
    const { startNode } = await aFleet({ dailyMicros: 10_000_000 })
    const node = startNode()
    await node.refill()
    const leasedMicros = node.nodeLeases.leasedMicros

    expect(sumOf(reserveAll(node, 1_000))).toBe(leasedMicros)
  })

  test('a node that was stopped for too long spends nothing more of its leases', async () => {
    const { startNode, expire, market } = await aFleet({ dailyMicros: 50_000 })
    const [stopped, other] = [startNode(), startNode()]
    await stopped.refill()
    stopped.advance(60)

    expect(stopped.reserve(1_000)).toBeUndefined()
    await expire(stopped)
    await other.refill()
    expect(sumOf(reserveAll(other, 1_000))).toBe(50_000)
    await stopped.refill()

    expect(stopped.reserve(1_000)).toBeUndefined()
    expect(stopped.keeper.counts.losses).toBe(1)
    expect(await sumStrandedMicros(market.pool)).toBe(0n)
  })

  test('a node whose clock is minutes off keeps its leases: only the database decides when they expire', async () => {
    const { startNode } = await aFleet({ dailyMicros: 50_000 })
    const node = startNode()
    await node.refill()

    node.clock.advance(-300)
    expect(node.reserve(1_000)).toBeDefined()
    node.clock.advance(600)
    await node.refill()

    expect(node.keeper.counts.losses).toBe(0)
    expect(node.reserve(1_000)).toBeDefined()
  })

  test('a node that stops returns what is free at once, and what is held when it expires', async () => {
    const { startNode, books, expire, prove } = await aFleet({ dailyMicros: 50_000 })
    const node = startNode()
    await node.refill()
    node.reserve(1_000)

    await node.keeper.stop()

    expect(node.reserve(1_000)).toBeUndefined()
    expect(await books()).toMatchObject([{ leased: 1_000 }, { leased: 1_000 }, { leased: 1_000 }])
    await expire(node)
    await startNode().keeper.refill()
    expect(await prove()).toEqual([])
  })
})

describe('known traps of distributed budgets', () => {
  test('a leaked reservation: unconfirmed money is free again after its hold', async () => {
    const { startNode, books } = await aFleet({ dailyMicros: 10_000 })
    const node = startNode()
    await node.refill()
    expect(reserveAll(node, 1_000)).toHaveLength(10)

    node.advance(59)
    await node.refill()
    expect(node.reserve(1_000)).toBeUndefined()
    node.advance(2)
    node.book.sweep()
    await node.refill()

    expect(reserveAll(node, 1_000)).toHaveLength(10)
    expect(await books()).toMatchObject([
      { leased: 10_000 },
      { leased: 10_000 },
      { leased: 10_000 },
    ])
  })

  test('a leaked reservation: a crashed node’s lease returns, and another node spends it', async () => {
    const { startNode, expire } = await aFleet({ dailyMicros: 10_000 })
    const [dead, alive] = [startNode(), startNode()]
    await dead.refill()
    reserveAll(dead, 1_000)
    await alive.refill()
    expect(alive.reserve(1_000)).toBeUndefined()

    await expire(dead)
    await alive.refill()

    expect(reserveAll(alive, 1_000)).toHaveLength(10)
  })

  test('check-then-write races: nodes that refill at once never lease more than there is', async () => {
    const { startNode, books, prove } = await aFleet({ dailyMicros: 500_000, totalMicros: 450_000 })
    const nodes = Array.from({ length: 8 }, startNode)

    for (let round = 0; round < 5; round++) await Promise.all(nodes.map((node) => node.refill()))

    const reserved = nodes.flatMap((node) => reserveAll(node, 1_000))
    expect(sumOf(reserved)).toBe(450_000)
    for (const { spent, leased, limit } of await books()) {
      expect(spent + leased).toBeLessThanOrEqual(limit ?? Infinity)
    }
    expect(await prove()).toEqual([])
  })

  test('a reseed that counts twice: a restarted node counts each spend once', async () => {
    const { startNode, campaignKey } = await aFleet({ dailyMicros: 10_000 })
    const first = startNode()
    await first.refill()
    for (const reservation of reserveAll(first, 1_000, 4)) await first.settle(reservation)

    const second = startNode()
    for (let again = 0; again < 3; again++) {
      second.book.putCampaign({ ...secondTerms(campaignKey, first), dailyMicros: 10_000 })
      await second.refill()
    }

    expect(second.book.findCampaign(campaignKey)!.campaignDay.spentMicros).toBe(4_000)
  })

  test('a stale counter after a restore: the database’s amount replaces the node’s', async () => {
    const { startNode, market, campaignKey } = await aFleet({ dailyMicros: 10_000 })
    const node = startNode()
    await node.refill()
    for (const reservation of reserveAll(node, 1_000, 4)) {
      await node.settle(reservation)
      node.book.confirm(reservation.id, 1_000)
    }
    await node.refill()
    expect(node.book.findCampaign(campaignKey)!.campaignDay.spentMicros).toBe(4_000)

    await market.pool.query(
      `update budget_days set spent_micros = 1000; update campaign_totals set spent_micros = 1000`,
    )
    node.reserve(1_000)
    await node.refill()

    expect(node.book.findCampaign(campaignKey)!.campaignDay.spentMicros).toBe(1_000)
  })
})

const secondTerms = (campaignKey: number, { book }: FleetNode) => ({
  campaignKey,
  advertiserKey: book.findCampaign(campaignKey)!.advertiserKey!,
  totalMicros: undefined,
  strategy: 'Accelerated' as const,
})

describe('an impression at another node', () => {
  test('an impression that arrives at another node is charged to the lease of the node that showed it', async () => {
    const { startNode, books, prove } = await aFleet({ dailyMicros: 50_000 })
    const [shown, receiving] = [startNode(), startNode()]
    await shown.refill()
    const reservation = shown.reserve(1_000)!

    expect(await receiving.settle(reservation)).toBe('charged')

    expect((await books())[0]).toMatchObject({ spent: 1_000, leased: 49_000 })
    expect(await prove()).toEqual([])
  })

  test('money settled at another node is not spent again when its reservation expires here', async () => {
    const { startNode, books } = await aFleet({ dailyMicros: 10_000 })
    const [shown, receiving] = [startNode(), startNode()]
    await shown.refill()
    for (const reservation of reserveAll(shown, 1_000)) await receiving.settle(reservation)

    shown.advance(61)
    shown.book.sweep()
    expect(shown.reserve(1_000)).toBeUndefined()
    await shown.refill()

    expect(shown.reserve(1_000)).toBeUndefined()
    expect((await books())[0]).toMatchObject({ spent: 10_000, leased: 0 })
  })
})

test('a lowered budget stops delivery at once, a raised one resumes it', async () => {
  const { startNode, terms, market, campaignKey } = await aFleet({ dailyMicros: 10_000 })
  const node = startNode()
  await node.refill()
  for (const reservation of reserveAll(node, 1_000, 4)) {
    await node.settle(reservation)
    node.book.confirm(reservation.id, 1_000)
  }
  const budget = async (dailyMicros: number) => {
    await market.pool.query('update campaigns set budget_daily_micros = $1', [dailyMicros])
    const at = node.clock.now()
    await applyLimits(market.pool, { campaignKeys: [campaignKey], advertiserKeys: [], at })
    node.book.putCampaign({ ...terms, dailyMicros })
  }

  await budget(3_000)
  expect(node.reserve(1_000)).toBeUndefined()
  await node.refill()
  expect(node.reserve(1_000)).toBeUndefined()

  await budget(6_000)
  await node.refill()
  expect(reserveAll(node, 1_000)).toHaveLength(2)
})

test('after a reset, every node may spend the day again at once', async () => {
  const { startNode, market, campaignKey, books } = await aFleet({ dailyMicros: 10_000 })
  const node = startNode()
  await node.refill()
  for (const reservation of reserveAll(node, 1_000)) {
    await node.settle(reservation)
    node.book.confirm(reservation.id, 1_000)
  }
  await node.refill()
  expect(node.reserve(1_000)).toBeUndefined()

  const reset = { campaignKey: BigInt(campaignKey), at: node.clock.now(), by: 'an operator' }
  expect(await addAllowance(market.deps.db, reset)).toBe(10_000n)
  node.refresh()
  await node.keeper.refill()

  expect(reserveAll(node, 1_000)).toHaveLength(10)
  expect((await books()).find(({ limit }) => limit !== null)).toEqual({
    spent: 10_000,
    leased: 10_000,
    limit: 20_000,
  })
})

test('credited money is spent again by every node after its next grant', async () => {
  const { startNode, market, campaignKey, books } = await aFleet({ dailyMicros: 10_000 })
  const node = startNode()
  await node.refill()
  for (const reservation of reserveAll(node, 1_000)) {
    await node.settle(reservation)
    node.book.confirm(reservation.id, 1_000)
  }
  await node.refill()
  expect(node.reserve(1_000)).toBeUndefined()

  const { advertiserKey } = market
  await credit(market.pool, { campaignKey, advertiserKey, day: 20_619 }, 4_000n)
  await node.refill()

  expect(reserveAll(node, 1_000)).toHaveLength(4)
  expect((await books()).find(({ limit }) => limit !== null)).toEqual({
    spent: 6_000,
    leased: 4_000,
    limit: 10_000,
  })
})

async function credit(pool: Pool, payer: Payer, micros: bigint): Promise<void> {
  const client = await pool.connect()
  await client.query('begin')
  const [accounts] = (await lockLedgerAccounts(client, [payer])).values()
  const entries = accounts!.map(({ balance, ...key }) => ({
    ...key,
    impressions: 0,
    clicks: 0,
    ...post(balance, -micros * 1_000n),
  }))
  await postCredits(client, { entries, note: 'test', at: new Date(0) })
  await client.query('commit')
  client.release()
}

test('at midnight the node has a lease for the new day and returns the old one', async () => {
  const { startNode, books } = await aFleet({ dailyMicros: 10_000 })
  const node = startNode()
  await node.refill()
  node.clock.moveTo('2026-06-15T21:50:00Z')
  await node.refill()

  node.clock.moveTo('2026-06-15T22:00:00Z')

  expect(node.reserve(1_000)).toMatchObject({ day: 20_620 })
  await node.refill()
  await node.refill()
  const leased = (await books()).map((account) => account.leased).toSorted((a, b) => a - b)
  expect(leased).toEqual([0, 0, 10_000, 10_000, 10_000])
})
