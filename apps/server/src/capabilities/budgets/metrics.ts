import { Counter, Gauge, type Registry } from 'prom-client'
import type { LeaseRenewal } from './leases/lease-renewal.ts'
import type { LeasedBook } from './book/leased-book.ts'

interface Measured extends LeasedBook {
  readonly keeper: LeaseRenewal
}

/** What money does on this node; read when somebody reads the metrics. */
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
  gauge('placard_budget_leased_micros', 'Leased by this node, all currencies', () => {
    return nodeLeases.leasedMicros
  })
  gauge('placard_budget_stranded_micros', 'In the hands of nodes that no longer run', () =>
    Number(counts.strandedMicros),
  )
  gauge('placard_budget_reservations', 'Open reservations', () => ofBook().reservations)
  gauge('placard_budget_parked_campaigns', 'Campaigns that may not spend', () => ofBook().parked)
  counter('placard_budget_reserved_total', 'Showings reserved', () => ofBook().reserved)
  counter('placard_budget_spent_total', 'Reservations confirmed', () => ofBook().confirmed)
  counter('placard_budget_refused_total', 'Reservations that did not fit', () => ofBook().refused)
  counter('placard_budget_full_total', 'Decisions for whose reservation there was no place', () => {
    return ofBook().refusedFull
  })
  counter('placard_budget_expired_total', 'Reservations that ended', () => ofBook().expired)
  counter(
    'placard_lease_refused_total',
    'Questions beyond what is leased',
    () => nodeLeases.refused,
  )
  counter('placard_lease_refills_total', 'Questions to the database', () => counts.refills)
  counter('placard_lease_failures_total', 'Questions that failed', () => counts.failures)
  counter('placard_lease_losses_total', 'Came back after its leases had expired', () => {
    return counts.losses
  })
  counter('placard_lease_returned_micros_total', 'Returned from nodes that no longer run', () =>
    Number(counts.returnedMicros),
  )
}
