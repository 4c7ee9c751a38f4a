import type { Pool, PoolClient } from 'pg'
import type { Clock } from '../../../platform/clock.ts'
import type { JobContext } from '../../../platform/jobs/job.ts'
import { lockLedgerAccounts, postCredits } from '../../budgets/index.ts'
import { creditsOf, payersOf } from './credits.ts'
import { dateOf, EVENT_KINDS, type EventKind } from '../intake/event.ts'
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

export interface RescoreDeps {
  readonly pool: Pool
  readonly clock: Clock
  /** Works the wide sums of a UTC day out anew, some time. */
  rebuildStats(day: string): Promise<void>
}

const CHUNK = 2_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Judges valid events of the past anew: they get their label, leave the sums of valid ones, and what
 * was charged for them comes back as credits. Some at a time, each time in one transaction: what was
 * done before a crash is not valid any more, and is not found again.
 */
export async function rescore(
  deps: RescoreDeps,
  order: OpenRescore,
  { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
): Promise<void> {
  const days = EVENT_KINDS.flatMap((kind) =>
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
  readonly kind: EventKind
  readonly decisionDay: number
}

/** Ends, because each page starts behind the one before. */
async function rescoreDay(deps: RescoreDeps, order: DayOrder, signal: AbortSignal): Promise<void> {
  let after: string | undefined = FIRST_ID
  while (after !== undefined) {
    signal.throwIfAborted()
    const suspects: Suspect[] = await listSuspects(deps.pool, { ...order, after, limit: CHUNK })
    if (suspects.length > 0) await rescoreChunk(deps, order, suspects)
    after = suspects.length === CHUNK ? suspects.at(-1)?.eventId : undefined
  }
}

/** Locks in the order of settlement: the days of the sums, the accounts, the events. */
async function rescoreChunk(
  { pool, clock }: RescoreDeps,
  { key, kind, decisionDay, label, publicId }: DayOrder,
  suspects: readonly Suspect[],
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await beginBatch(
      client,
      suspects.map(({ occurredAtMs }) => occurredAtMs),
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
    // A connection that is let go as broken takes its transaction with it.
    client.release(isBroken)
  }
}
