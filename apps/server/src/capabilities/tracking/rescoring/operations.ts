import { DAY_MS } from '@placard/calendar'
import type { Pool, PoolClient } from 'pg'
import type { Clock } from '../../../platform/clock.ts'
import type { JobContext } from '../../../platform/jobs/job.ts'
import { lockLedgerAccounts, postCredits } from '../../budgets/index.ts'
import { creditsOf, payersOf } from './credits.ts'
import { dateOf, DELIVERY_KINDS, type DeliveryKind } from '../intake/event.ts'
import { decisionDaysOf, movedSums, statsDaysOf } from './rescore.ts'
import {
  addToRescore,
  endRescore,
  listSuspects,
  type OpenRescore,
  relabel,
  type Suspect,
} from './store.ts'
import { addDeliverySums, beginBatch, commitBatch } from '../settlement/store-sums.ts'
import { moveProgress } from '../settlement/store-progress.ts'

export interface RescoreDeps {
  readonly pool: Pool
  readonly clock: Clock
  /** Schedules a rebuild of the report sums of a UTC day. */
  rebuildStats(day: string): Promise<void>
}

const CHUNK = 2_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Relabels valid events of a past period: they leave the valid sums, and their charges return as
 * credits. Works in chunks, one transaction each. After a crash the finished events are no longer
 * valid, so they are not found again.
 */
export async function rescore(
  deps: RescoreDeps,
  order: OpenRescore,
  { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
): Promise<void> {
  const days = DELIVERY_KINDS.flatMap((kind) =>
    decisionDaysOf(kind, order).map((decisionDay) => ({ kind, decisionDay })),
  )
  for (const [done, day] of days.entries()) {
    await rescoreDay(deps, { ...order, ...day }, signal)
    progress({ done: done + 1, total: days.length })
  }
  for (const day of statsDaysOf(order)) await deps.rebuildStats(dateOf(day))
  await endRescore(deps.pool, order.key, deps.clock.now())
}

interface DayOrder extends OpenRescore {
  readonly kind: DeliveryKind
  readonly decisionDay: number
}

/** Terminates because each page starts after the previous one. */
async function rescoreDay(deps: RescoreDeps, order: DayOrder, signal: AbortSignal): Promise<void> {
  let after: string | undefined = FIRST_ID
  while (after !== undefined) {
    signal.throwIfAborted()
    const suspects: Suspect[] = await listSuspects(deps.pool, { ...order, after, limit: CHUNK })
    if (suspects.length > 0) await rescoreChunk(deps, order, suspects)
    after = suspects.length === CHUNK ? suspects.at(-1)?.eventId : undefined
  }
}

/** Locks in the order of settlement: stats days, ledger accounts, events. */
async function rescoreChunk(
  { pool, clock }: RescoreDeps,
  { key, kind, decisionDay, label, publicId }: DayOrder,
  suspects: readonly Suspect[],
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await beginBatch(
      client,
      suspects.flatMap(({ occurredAtMs }) => [occurredAtMs, occurredAtMs + DAY_MS]),
    )
    const accounts = await lockLedgerAccounts(client, payersOf(suspects))
    const eventIds = suspects.map(({ eventId }) => eventId)
    const events = await relabel(client, { kind, decisionDay, label, eventIds })
    const creditedMillis = events.reduce((sum, event) => sum + event.chargedMillis, 0n)
    await postCredits(client, {
      entries: creditsOf(events, accounts),
      note: `rescored as ${label}: ${publicId}`,
      at: clock.now(),
    })
    await addDeliverySums(client, movedSums(events, label))
    if (kind === 'impression') await moveProgress(client, { decisionDay, label, eventIds })
    await addToRescore(client, { key, events: events.length, creditedMillis })
    await commitBatch(client)
  })
}

async function inTransaction(pool: Pool, work: (client: PoolClient) => Promise<void>) {
  const client = await pool.connect()
  let isBroken = true
  try {
    await work(client)
    isBroken = false
  } finally {
    // Releasing a broken connection rolls its transaction back.
    client.release(isBroken)
  }
}
