import type { Database } from '../../../platform/database/connect.ts'
import { type Feed, readFeed } from '../../../platform/database/ordered-feed.ts'
import type { OutboxEvent } from '../../../platform/outbox/event.ts'
import {
  type EventSource,
  outboxSource,
  type SourceQuery,
  type UnitPage,
  type Wants,
} from '../../../platform/outbox/sources.ts'
import { type Batch, settledFeed } from '../../tracking/index.ts'
import type { EventType } from './event-types.ts'
import {
  auctionFeed,
  conversionFeed,
  listConversions,
  listServed,
  listSpend,
  listTracked,
} from './reads.ts'
import { conversionEvent, servedEvent, spendEvent, trackedEvent } from './payloads.ts'

const sourceOf = (
  source: Omit<EventSource, 'types' | 'startsAt'> & { readonly types: readonly EventType[] },
): EventSource => ({ startsAt: 'now', ...source })

const servedSource = sourceOf({
  name: 'auctions',
  types: ['ad.served.v1'],
  read: (db, query) =>
    readBatches(db, query, {
      feed: auctionFeed,
      list: async (batches) => inBatches(await listServed(db, batches), servedEvent),
    }),
})

const trackedSource = sourceOf({
  name: 'tracking',
  types: ['ads.impression.tracked.v1', 'ads.click.tracked.v1', 'spend.updated.v1'],
  read: (db, query) =>
    readBatches(db, query, {
      feed: settledFeed,
      list: (batches) => listSettled(db, batches, query.wants),
    }),
})

const conversionSource = sourceOf({
  name: 'conversions',
  types: ['ads.conversion.tracked.v1'],
  async read(db, { after, limit }) {
    const { rows, places, state } = await readFeed(db, conversionFeed, { after, limit })
    const found = await listConversions(db, rows)
    const events = new Map(found.map((row) => [row.event_id, conversionEvent(row)]))
    const units = rows.map(({ eventId }, at) => {
      const event = events.get(eventId)
      return { place: places[at]!, events: event ? [event] : [] }
    })
    return { units, state }
  },
})

/**
 * Every published event. Within one transaction, settled events come before those that follow from
 * them.
 */
export const EVENT_SOURCES: readonly EventSource[] = [
  servedSource,
  trackedSource,
  conversionSource,
  outboxSource,
]

/** Impressions come before clicks, and both before their cost. */
async function listSettled(db: Database, batches: readonly Batch[], wants: Wants) {
  const events: BatchEvent[] = []
  if (wants('ads.impression.tracked.v1')) {
    events.push(...inBatches(await listTracked(db, 'impression', batches), trackedEvent))
  }
  if (wants('ads.click.tracked.v1')) {
    events.push(...inBatches(await listTracked(db, 'click', batches), trackedEvent))
  }
  if (wants('spend.updated.v1')) events.push(...inBatches(await listSpend(db, batches), spendEvent))
  return events
}

interface BatchEvent {
  readonly batchId: string
  readonly event: OutboxEvent
}

const inBatches = <Row extends { readonly batch_id: string }>(
  rows: readonly Row[],
  tell: (row: Row) => OutboxEvent,
): BatchEvent[] => rows.map((row) => ({ batchId: row.batch_id, event: tell(row) }))

interface BatchReading {
  readonly feed: Feed<Batch>
  readonly list: (batches: readonly Batch[]) => Promise<readonly BatchEvent[]>
}

const BATCHES_MAX = 100

/** Whole batches up to the limit, at least one. */
async function readBatches(
  db: Database,
  { after, limit }: SourceQuery,
  { feed, list }: BatchReading,
): Promise<UnitPage> {
  const page = await readFeed(db, feed, { after, limit: BATCHES_MAX })
  const batches = page.rows.slice(0, countToTake(page.rows, limit))
  if (batches.length === 0) return { units: [], state: page.state }

  const events = Map.groupBy(await list(batches), ({ batchId }) => batchId)
  const units = batches.map(({ id }, at) => ({
    place: page.places[at]!,
    events: (events.get(id) ?? []).map(({ event }) => event),
  }))
  return { units, state: batches.length < page.rows.length ? 'more' : page.state }
}

function countToTake(batches: readonly Batch[], limit: number): number {
  let rows = 0
  const last = batches.findIndex((batch) => (rows += batch.rows) >= limit)
  return last === -1 ? batches.length : last + 1
}
