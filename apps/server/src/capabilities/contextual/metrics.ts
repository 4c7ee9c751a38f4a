import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { LiveUpdates } from '../../platform/live-updates/live-updates.ts'
import type { MatrixEvent } from './auction/matrix.ts'
import type { ServeIndex } from './serving/serve-index.ts'
import type { PageState } from './pages/page.ts'
import { countWaiting } from './pages/store-pages.ts'

/** Metrics of crawler, auctioneer and watcher. */
export interface ContextualObserver {
  visited(result: Exclude<PageState, 'waiting'> | 'unchanged'): void
  auctioned(pages: number): void
  ticked(): void
  happened(event: MatrixEvent): void
}

interface Observing {
  readonly db: Database
  readonly clock: Clock
}

export function observeContextual(
  registry: Registry,
  { db, clock }: Observing,
): ContextualObserver {
  const registers = [registry]
  const visits = new Counter({
    name: 'placard_pages_visited_total',
    help: 'Pages that the crawler asked for, and what came of it',
    labelNames: ['result'],
    registers,
  })
  const pages = new Counter({
    name: 'placard_pages_auctioned_total',
    help: 'Pages whose candidates were worked out',
    registers,
  })
  const events = new Counter({
    name: 'placard_reauction_events_total',
    help: 'Events that call for new auctions',
    labelNames: ['event'],
    registers,
  })
  let tickedMs = clock.now().getTime()
  const age: Gauge = new Gauge({
    name: 'placard_auction_tick_age_seconds',
    help: 'Time since this process last ordered the auctions of all sites',
    registers,
    collect: () => age.set((clock.now().getTime() - tickedMs) / 1_000),
  })
  const waiting: Gauge = new Gauge({
    name: 'placard_pages_waiting',
    help: 'Pages that readers opened and nobody has read yet, up to 10,000',
    registers,
    collect: async () => waiting.set(await countWaiting(db)),
  })
  return {
    visited: (result) => visits.inc({ result }),
    auctioned: (count) => pages.inc(count),
    ticked: () => void (tickedMs = clock.now().getTime()),
    happened: (event) => events.inc({ event }),
  }
}

/** Metrics of a node's serve index. */
export function measureServeIndex(
  registry: Registry,
  { memory, liveUpdates }: Pick<ServeIndex, 'memory'> & { readonly liveUpdates: LiveUpdates },
  clock: Clock,
): void {
  const registers = [registry]
  const size: Gauge = new Gauge({
    name: 'placard_serve_index_pages',
    help: 'Pages of the serve index in the memory of this node',
    registers,
    collect: () => size.set(memory.size),
  })
  const age: Gauge = new Gauge({
    name: 'placard_serve_index_age_seconds',
    help: 'Time since this node last looked for new entries of the serve index',
    registers,
    collect: () => age.set(memory.ageSeconds(clock.now().getTime())),
  })
  const lookups: Counter = new Counter({
    name: 'placard_serve_index_asked_total',
    help: 'Page calls by what was known of the page',
    labelNames: ['page'],
    registers,
    collect() {
      for (const page of ['known', 'unknown'] as const) {
        lookups.inc({ page }, memory.lookups[page])
        memory.lookups[page] = 0
      }
    },
  })
  const listeners: Gauge = new Gauge({
    name: 'placard_news_listeners',
    help: 'Streams of news that are open',
    registers,
    collect: () => listeners.set(liveUpdates.size),
  })
}
