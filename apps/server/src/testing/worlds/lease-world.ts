import { onTestFinished } from 'vitest'
import { fixedClock, seededRandom } from '../fixed.ts'
import {
  addCampaign,
  aMarket,
  eventsOf,
  type Market,
  settlerOn,
} from '../../capabilities/tracking/testing.ts'
import type { CampaignTerms, Reservation } from '../../capabilities/budgets/book/book.ts'
import { proveLedger } from '../../capabilities/budgets/ledger/proof.ts'
import { startLeaseRenewal } from '../../capabilities/budgets/leases/lease-renewal.ts'
import { createLeasedBook } from '../../capabilities/budgets/book/leased-book.ts'
import { openLeasePool } from '../../capabilities/budgets/leases/store-leases.ts'

export const HOLD_MS = 60_000
const LEASE_MS = 60_000
const DAYS = { fromDay: '2026-01-01', toDay: '2026-12-31', withEvents: true }

interface Budgets {
  readonly dailyMicros?: number
  readonly totalMicros?: number
  readonly advertiserMicros?: number
}

const big = (micros: number | undefined) => (micros === undefined ? undefined : BigInt(micros))

/** A campaign on real books, and as many nodes as the test starts. */
export async function aFleet(budgets: Budgets = {}) {
  const { dailyMicros, totalMicros, advertiserMicros } = budgets
  const market = await aMarket(big(advertiserMicros))
  const limits = { dailyMicros: big(dailyMicros), totalMicros: big(totalMicros) }
  const campaignKey = await addCampaign(market, limits as never)
  const terms: CampaignTerms = {
    campaignKey,
    advertiserKey: market.advertiserKey,
    dailyMicros,
    totalMicros,
    strategy: 'Accelerated',
  }
  let nodes = 0
  return {
    market,
    campaignKey,
    terms,
    startNode: () => startNode({ market, terms, advertiserMicros, seed: `node ${nodes++}` }),
    books: () => readBooks(market, campaignKey),
    prove: async () => (await proveLedger({ pool: market.pool, clock: fixedClock() }, DAYS)).faults,
    /** Makes the node's last renewal too old, by the database's clock. */
    expire: (node: { readonly name: string }) =>
      market.pool.query('update lease_holders set expires_at = clock_timestamp() where node = $1', [
        node.name,
      ]),
  }
}

interface Start {
  readonly market: Market
  readonly terms: CampaignTerms
  readonly advertiserMicros: number | undefined
  readonly seed: string
}

export type FleetNode = ReturnType<typeof startNode>

function startNode({ market, terms, advertiserMicros, seed }: Start) {
  const clock = fixedClock()
  let upMs = 0
  const uptime = { nowMs: () => upMs }
  const { book, nodeLeases, node, refresh } = createLeasedBook({
    clock,
    random: seededRandom(seed),
    uptime,
  })
  const { advertiserKey } = terms
  book.putAdvertiser({ advertiserKey, dailyMicros: advertiserMicros, timeZone: 'Europe/Berlin' })
  book.putCampaign(terms)
  const timers = { after: () => () => {} }
  const pool = openLeasePool(market.url)
  onTestFinished(() => pool.end())
  const deps = { pool, nodeLeases, node, timers, uptime, leaseMs: LEASE_MS }
  const errors: unknown[] = []
  const keeper = startLeaseRenewal({ ...deps, onError: (error) => errors.push(error) })
  const settler = settlerOn(market)
  const anEvent = eventsOf(market)
  onTestFinished(() => {
    if (errors.length > 0) throw errors[0]
  })

  return {
    name: node,
    book,
    nodeLeases,
    keeper,
    refresh: () => refresh(terms.campaignKey),
    errors,
    clock,
    advance(seconds: number) {
      clock.advance(seconds)
      upMs += seconds * 1_000
    },
    /** A round of renewals in which everything waiting is due. */
    async refill() {
      upMs += 10_000
      await keeper.refill()
    },
    reserve: (costMicros: number): Reservation | undefined =>
      book.reserve({ campaignKey: terms.campaignKey, costMicros, holdMs: HOLD_MS }),
    /** The impression of a reservation arrives here; the reservation may be another node's. */
    async settle({ id, costMicros, day }: Reservation) {
      const { campaignKey } = terms
      const chargeMicros = costMicros * 1_000
      const event = anEvent({ campaignKey, budgetDay: day, chargeMicros, reservationId: id })
      const { fresh } = await settler.settle([event], { countsRepeats: true })
      return fresh[0]!.billing
    },
  }
}

/** Spent, leased and limit of the campaign's day, its lifetime and the advertiser's day. */
async function readBooks({ pool }: Market, campaignKey: number) {
  const { rows } = await pool.query<{ spent: number; leased: number; limit: number | null }>(
    `select spent_micros::float8 as spent, leased_micros::float8 as leased,
            limit_micros::float8 as limit from budget_days
      where scope = 'advertiser' or owner_id = $1
     union all
     select spent_micros::float8, leased_micros::float8, limit_micros::float8 from campaign_totals
      where campaign_id = $1`,
    [campaignKey],
  )
  return rows
}
