import { Counter, Gauge, type Registry } from 'prom-client'
import type { LeaseRenewal } from './leases/lease-renewal.ts'
import type { LeasedBook } from './book/leased-book.ts'

interface Measured extends LeasedBook {
  readonly keeper: LeaseRenewal
}

/** Budget metrics of this node, computed when the metrics are read. */
export function measureBudgets(registry: Registry, { book, nodeLeases, keeper }: Measured): void {
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  const { counts } = keeper
  const ofBook = () => book.snapshot()
  gauge('placard_budget_leased_micros', 'Micros leased by this node, all currencies', () => {
    return nodeLeases.leasedMicros
  })
  gauge('placard_budget_stranded_micros', 'Micros leased by nodes that stopped', () =>
    Number(counts.strandedMicros),
  )
  gauge('placard_budget_reservations', 'Open reservations', () => ofBook().reservations)
  gauge('placard_budget_parked_campaigns', 'Campaigns that may not spend', () => ofBook().parked)
  counter('placard_budget_reserved_total', 'Showings reserved', () => ofBook().reserved)
  counter('placard_budget_spent_total', 'Reservations confirmed', () => ofBook().confirmed)
  counter('placard_budget_refused_total', 'Reservations that did not fit', () => ofBook().refused)
  counter('placard_budget_full_total', 'Reservations refused because the table was full', () => {
    return ofBook().refusedFull
  })
  measureShares(registry, book)
  counter('placard_budget_expired_total', 'Reservations that expired', () => ofBook().expired)
  counter(
    'placard_lease_refused_total',
    'Reservations that did not fit the lease',
    () => nodeLeases.refused,
  )
  counter(
    'placard_lease_refills_total',
    'Requests to the database for leases',
    () => counts.refills,
  )
  counter('placard_lease_failures_total', 'Requests for leases that failed', () => counts.failures)
  counter(
    'placard_lease_losses_total',
    'Times this node renewed too late and lost its leases',
    () => {
      return counts.losses
    },
  )
  counter('placard_lease_returned_micros_total', 'Micros returned from nodes that stopped', () =>
    Number(counts.returnedMicros),
  )
}

function measureShares(registry: Registry, book: Pick<LeasedBook['book'], 'snapshot'>): void {
  const shares: Counter = new Counter({
    name: 'placard_budget_share_refused_total',
    help: 'Reservations refused because readers without a key hold enough of the budget, by bound',
    labelNames: ['bound'],
    registers: [registry],
    collect() {
      shares.reset()
      for (const [bound, refused] of Object.entries(book.snapshot().refusedShare)) {
        shares.inc({ bound }, refused)
      }
    },
  })
}
