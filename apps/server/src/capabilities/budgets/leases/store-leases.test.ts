import type { PoolClient } from 'pg'
import { describe, expect, test } from 'vitest'
import { fixedClock } from '../../../testing/fixed.ts'
import { addCampaign, aMarket, eventsOf, type Market, settlerOn } from '../../tracking/testing.ts'
import { proveLedger } from '../ledger/proof.ts'
import { lockLedgerAccounts, openLedgerAccounts } from '../ledger/store-ledger-accounts.ts'
import { returnExpiredLeases, sumStrandedMicros } from './store-lease-returns.ts'
import { addHolder, type Holder, type LeaseRequest, refillLeases } from './store-leases.ts'
import { applyLimits } from '../ledger/store-limits.ts'

const DAY = 20_619
const LEASE_MS = 60_000
const NOBODY = { fromDay: '2026-06-10', toDay: '2026-06-20', withEvents: true }

async function holderOf({ pool }: Market, node: string): Promise<Holder> {
  const fence = await addHolder(pool, { node, leaseMs: LEASE_MS })
  return { node, fence: fence!, leaseMs: LEASE_MS }
}

async function openDay({ pool, advertiserKey }: Market, campaignKey: number): Promise<void> {
  const client = await pool.connect()
  await lockLedgerAccounts(client, [{ campaignKey, advertiserKey, day: DAY }])
  client.release()
}

const requestFor =
  ({ advertiserKey }: Market, campaignKey: number) =>
  (targetMicros: number): LeaseRequest => ({
    campaignKey,
    advertiserKey,
    day: DAY,
    minMicros: targetMicros,
    targetMicros,
    maxMicros: targetMicros,
    grantMicrosMin: targetMicros,
  })

async function aDay(budgets: { dailyMicros?: bigint; totalMicros?: bigint }, advertiser?: bigint) {
  const market = await aMarket(advertiser)
  const campaignKey = await addCampaign(market, budgets)
  await openDay(market, campaignKey)
  return { market, campaignKey, ask: requestFor(market, campaignKey) }
}

/** Spent and leased of the three ledger accounts. */
async function accountsOf({ pool }: Market, campaignKey: number) {
  const { rows } = await pool.query(
    `select scope, spent_micros::integer as spent, leased_micros::integer as leased from budget_days
      where scope = 'advertiser' or owner_id = $1
     union all
     select 'total', spent_micros::integer, leased_micros::integer from campaign_totals
      where campaign_id = $1 order by 1`,
    [campaignKey],
  )
  return Object.fromEntries(rows.map(({ scope, spent, leased }) => [scope, [spent, leased]]))
}

const same = (spent: number, leased: number) => ({
  advertiser: [spent, leased],
  campaign: [spent, leased],
  total: [spent, leased],
})

const amounts = (answers: Awaited<ReturnType<typeof refillLeases>>) =>
  answers?.map(({ amountMicros }) => amountMicros)

/** By the database's clock, the node has not renewed in time. */
const expire = ({ pool }: Market, node: string) =>
  pool.query('update lease_holders set expires_at = clock_timestamp() where node = $1', [node])

const prove = async ({ pool }: Market) =>
  (await proveLedger({ pool, clock: fixedClock() }, NOBODY)).faults

describe('a lease', () => {
  test('a lease reserves money on the day, the lifetime and the advertiser, and the books agree', async () => {
    const { market, campaignKey, ask } = await aDay({ dailyMicros: 1_000n })
    const holder = await holderOf(market, 'a')

    const answers = await refillLeases(market.pool, holder, [ask(300)])

    expect(amounts(answers)).toEqual([300])
    expect(await accountsOf(market, campaignKey)).toEqual(same(0, 300))
    expect(await prove(market)).toEqual([])
  })

  test.each([
    ['the campaign day', { dailyMicros: 100n }, undefined],
    ['the campaign lifetime', { totalMicros: 100n }, undefined],
    ['the advertiser day', {}, 100n],
  ])(
    'a lease never passes what is left of %s, whichever node takes it',
    async (_account, budgets, advertiser) => {
      const { market, campaignKey, ask } = await aDay(budgets, advertiser)
      const holders = await Promise.all(
        Array.from({ length: 8 }, (_, i) => holderOf(market, `node${i}`)),
      )

      const answers = await Promise.all(
        holders.map((holder) => refillLeases(market.pool, holder, [ask(30)])),
      )

      const sum = answers.flatMap((each) => amounts(each)!).reduce((a, b) => a + b)
      expect(sum).toBe(100)
      expect(await accountsOf(market, campaignKey)).toEqual(same(0, 100))
      expect(await prove(market)).toEqual([])
    },
  )

  test('one statement divides a lease among the campaigns of an advertiser', async () => {
    const { market, ask } = await aDay({}, 100n)
    const second = await addCampaign(market)
    await openDay(market, second)

    const holder = await holderOf(market, 'a')
    const answers = await refillLeases(market.pool, holder, [
      ask(70),
      requestFor(market, second)(70),
    ])

    expect(amounts(answers)?.toSorted()).toEqual([30, 70])
    expect(await prove(market)).toEqual([])
  })

  test('a lease shrinks with what is left, so that other nodes get some too', async () => {
    const { market, ask } = await aDay({ dailyMicros: 1_000n })
    const request = { ...ask(1_000), grantMicrosMin: 10 }

    const taken: number[] = []
    for (const node of ['a', 'b', 'c']) {
      const answers = await refillLeases(market.pool, await holderOf(market, node), [request])
      taken.push(...amounts(answers)!)
    }

    expect(taken).toEqual([250, 187, 140])
  })

  test('a lease that is larger than requested goes back', async () => {
    const { market, campaignKey, ask } = await aDay({ dailyMicros: 1_000n })
    const holder = await holderOf(market, 'a')
    await refillLeases(market.pool, holder, [ask(300)])

    expect(amounts(await refillLeases(market.pool, holder, [ask(40)]))).toEqual([40])
    expect(amounts(await refillLeases(market.pool, holder, [ask(0)]))).toEqual([0])

    expect(await accountsOf(market, campaignKey)).toEqual(same(0, 0))
    expect(await prove(market)).toEqual([])
  })

  test('the lease of a node that stopped renewing returns, and the node can no longer change it', async () => {
    const { market, campaignKey, ask } = await aDay({ dailyMicros: 1_000n })
    const stale = await holderOf(market, 'a')
    await refillLeases(market.pool, stale, [ask(900)])

    await expire(market, 'a')
    expect(await sumStrandedMicros(market.pool)).toBe(900n)
    expect(await refillLeases(market.pool, stale, [ask(950)])).toBeUndefined()
    expect(await returnExpiredLeases(market.pool)).toEqual({ leases: 1, micros: 900n })

    expect(await sumStrandedMicros(market.pool)).toBe(0n)
    expect(await accountsOf(market, campaignKey)).toEqual(same(0, 0))
    const fresh = await holderOf(market, 'a')
    expect(fresh.fence).not.toBe(stale.fence)
    expect(await refillLeases(market.pool, stale, [ask(10)])).toBeUndefined()
    expect(await prove(market)).toEqual([])
  })
})

describe('a charge on a lease', () => {
  test('a charge takes from the lease it was reserved on, in the same transaction', async () => {
    const { market, campaignKey, ask } = await aDay({ dailyMicros: 1_000n })
    await refillLeases(market.pool, await holderOf(market, 'a'), [ask(300)])
    const event = eventsOf(market)({
      campaignKey,
      budgetDay: DAY,
      chargeMicros: 100_500,
      reservationId: 'a.1',
    })

    await settlerOn(market).settle([event], { countsRepeats: true })

    expect(await accountsOf(market, campaignKey)).toEqual(same(100, 199))
    expect(await prove(market)).toEqual([])
  })

  test('when all is leased, a charge is admitted only with its lease', async () => {
    const { market, campaignKey, ask } = await aDay({ dailyMicros: 100n })
    await refillLeases(market.pool, await holderOf(market, 'a'), [ask(100)])
    const anEvent = eventsOf(market)
    const charge = { campaignKey, budgetDay: DAY, chargeMicros: 60_000 }
    const settle = async (reservationId?: string) => {
      const event = anEvent({ ...charge, reservationId })
      const { fresh } = await settlerOn(market).settle([event], { countsRepeats: true })
      return fresh[0]!.billing
    }

    expect(await settle()).toBe('over-delivery')
    expect(await settle('b.1')).toBe('over-delivery')
    expect(await settle('a.1')).toBe('charged')
    expect(await settle('a.2')).toBe('over-delivery')

    expect(await accountsOf(market, campaignKey)).toEqual(same(60, 40))
    expect(await prove(market)).toEqual([])
  })

  test('a charge after its reservation expired is admitted if the budget allows', async () => {
    const { market, campaignKey, ask } = await aDay({ dailyMicros: 100n })
    await refillLeases(market.pool, await holderOf(market, 'a'), [ask(100)])
    await expire(market, 'a')
    await returnExpiredLeases(market.pool)

    const event = eventsOf(market)({
      campaignKey,
      budgetDay: DAY,
      chargeMicros: 100_000,
      reservationId: 'a.1',
    })
    const { fresh } = await settlerOn(market).settle([event], { countsRepeats: true })

    expect(fresh[0]!.billing).toBe('charged')
    expect(await accountsOf(market, campaignKey)).toEqual(same(100, 0))
  })
})

test('a budget lowered below what is leased takes the leases back', async () => {
  const { market, campaignKey, ask } = await aDay({ dailyMicros: 1_000n })
  const holder = await holderOf(market, 'a')
  await refillLeases(market.pool, holder, [ask(600)])
  await market.pool.query('update campaigns set budget_daily_micros = 500')

  const at = new Date('2026-06-15T12:00:00Z')
  await applyLimits(market.pool, { campaignKeys: [campaignKey], advertiserKeys: [], at })

  expect(await accountsOf(market, campaignKey)).toEqual(same(0, 0))
  expect(amounts(await refillLeases(market.pool, holder, [ask(600)]))).toEqual([500])
  expect(await prove(market)).toEqual([])
})

/** How the steps of one transaction interleave with those of others. */
describe('locks are taken in one order', () => {
  const isBlocked = async ({ pool }: Market) => {
    const { rows } = await pool.query(
      `select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return (rows[0].waiting as number) > 0
  }

  /** Resolves when the work is done or waits for a lock. */
  const begun = async (market: Market, work: Promise<unknown>) => {
    let isDone = false
    void work.then(
      () => (isDone = true),
      () => (isDone = true),
    )
    await expect
      .poll(async () => isDone || (await isBlocked(market)), { timeout: 10_000 })
      .toBe(true)
  }

  /** A client that runs a callback right after the statement with these words. */
  const pausing = (
    client: PoolClient,
    words: string,
    meanwhile: () => Promise<void>,
  ): PoolClient => {
    let isOver = false
    return new Proxy(client, {
      get(target, name) {
        if (name !== 'query') {
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        }
        return async (query: string | { text: string }, values?: unknown[]) => {
          const answer = await target.query(query as string, values)
          const text = typeof query === 'string' ? query : query.text
          if (!isOver && text.includes(words)) {
            isOver = true
            await meanwhile()
          }
          return answer
        }
      },
    })
  }

  test('a transaction that opens ledger accounts of a new day holds no other lock: a node refills meanwhile', async () => {
    const { market, campaignKey, ask } = await aDay({ dailyMicros: 1_000n })
    const { pool, advertiserKey } = market
    const holder = await holderOf(market, 'a')
    const days = [DAY, DAY + 1].map((day) => ({ campaignKey, advertiserKey, day }))
    let refill: ReturnType<typeof refillLeases> | undefined
    const real = await pool.connect()
    await real.query('begin')
    const client = pausing(real, 'for update of d', async () => {
      await openLedgerAccounts(pool, days)
      refill = refillLeases(pool, holder, [{ ...ask(30), day: DAY + 1 }])
      await begun(market, refill)
    })

    const locked = await lockLedgerAccounts(client, days)
    await real.query('commit')
    real.release()

    expect(locked.size).toBe(2)
    expect(amounts(await refill!)).toEqual([30])
  })

  test('a transaction that lowers limits locks everything it changes first: a node refills meanwhile', async () => {
    const { market, campaignKey, ask } = await aDay({ dailyMicros: 1_000n })
    const { pool, advertiserKey } = market
    await openLedgerAccounts(pool, [{ campaignKey, advertiserKey, day: DAY + 1 }])
    const holder = await holderOf(market, 'a')
    await refillLeases(pool, holder, [ask(900)])
    await pool.query('update campaigns set budget_daily_micros = 100 where id = $1', [campaignKey])
    let refill: ReturnType<typeof refillLeases> | undefined
    const meanwhile = async () => {
      refill = refillLeases(pool, holder, [{ ...ask(30), day: DAY + 1 }])
      await begun(market, refill)
    }
    const statements: string[] = []
    const at = market.deps.clock.now()
    const watched = new Proxy(pool, {
      get(target, name) {
        if (name !== 'connect') return Reflect.get(target, name)
        return async () => {
          const client = await target.connect()
          const query = client.query.bind(client)
          const noting = Object.assign(Object.create(client) as PoolClient, {
            query: (...given: Parameters<typeof query>) => {
              statements.push(given[0])
              return query(...given)
            },
          })
          return pausing(noting, 'lease-returned', meanwhile)
        }
      },
    })

    await applyLimits(watched, { campaignKeys: [campaignKey], advertiserKeys: [], at })

    expect(statements.filter((text) => text === 'begin')).toHaveLength(1)
    expect(amounts(await refill!)).toEqual([30])
    expect(await prove(market)).toEqual([])
  })
})
