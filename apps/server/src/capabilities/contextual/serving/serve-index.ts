import type { ChangeSubscriber } from '../../../platform/changes/changes.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { cursorNow } from '../../../platform/database/ordered-feed.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { Jobs } from '../../../platform/jobs/job.ts'
import { startLoop } from '../../../platform/background/loop.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import { openContentTaxonomy } from '../classify/reference-data.ts'
import { visitPagesJob } from '../pages/jobs.ts'
import type { LiveUpdates } from '../../../platform/live-updates/live-updates.ts'
import { ServeMemory, type UnknownPage } from './serve-memory.ts'
import { listIndexed, listIndexedSites, listUrlRules } from '../auction/store-index.ts'
import { findCrawledSite, notePages } from '../pages/store-pages.ts'
import { listHours } from './store-ranker.ts'

export interface KeeperDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  /** Gets changes after the index has them. */
  readonly liveUpdates?: LiveUpdates
}

export interface ServeIndex {
  readonly memory: ServeMemory
  readonly subscriber: ChangeSubscriber
  /** Starts queueing unknown pages and refreshing the creatives' last hour. */
  start(options: StartOptions): { stop(): Promise<void> }
}

interface StartOptions {
  readonly jobs: Jobs
  readonly timers: Timers
  onError(error: unknown): void
}

const PAGES_PER_READ = 1_000
const INTERVAL_MS = 1_000
/** Every 10 s: reload the last hour of creatives and drop expired entries. */
const ITERATIONS_PER_READ = 10
const BACKOFF = { firstMs: 1_000, maxMs: 30_000 }

/** The serve index of a node, loaded now and kept by the change feed. */
export async function openServeIndex(deps: KeeperDeps): Promise<ServeIndex> {
  const memory = new ServeMemory(openContentTaxonomy().lineOf)
  const load = async () => {
    await putRules(deps, memory, undefined)
    for (const siteKey of await listIndexedSites(deps.db)) await readSite(deps, memory, siteKey)
    memory.setHours(await listHours(deps.db, deps.clock.now()))
  }
  await load()
  return {
    memory,
    subscriber: {
      async onChanges(changes) {
        const touched = (table: string) => [
          ...new Set(
            changes.flatMap(({ entity, entityId }) => (entity === table ? [Number(entityId)] : [])),
          ),
        ]
        const sites = touched('sites')
        if (sites.length > 0) await putRules(deps, memory, sites)
        for (const siteKey of touched('serve_index')) await readSite(deps, memory, siteKey)
        await deps.liveUpdates?.onChanges(changes)
      },
      async onReload() {
        const cursor = await cursorNow(deps.db)
        await load()
        return cursor
      },
      onReconcile: load,
    },
    start: (options) => keepUp(deps, memory, options),
  }
}

async function readSite(
  { db, clock }: KeeperDeps,
  memory: ServeMemory,
  siteKey: number,
): Promise<void> {
  for (;;) {
    const after = memory.versionOf(siteKey)
    const pages = await listIndexed(db, { siteKey, after, limit: PAGES_PER_READ })
    for (const page of pages) memory.put(page)
    memory.noteRead(clock.now().getTime())
    if (pages.length < PAGES_PER_READ) return
  }
}

async function putRules(
  { db }: KeeperDeps,
  memory: ServeMemory,
  siteKeys: readonly number[] | undefined,
): Promise<void> {
  for (const { siteKey, isLive, ...rules } of await listUrlRules(db, siteKeys)) {
    memory.putRules(siteKey, isLive ? rules : undefined)
  }
}

function keepUp(deps: KeeperDeps, memory: ServeMemory, options: StartOptions) {
  const { jobs, timers, onError } = options
  let iteration = 0
  return startLoop({
    timers,
    onError,
    backoff: BACKOFF,
    async iterate() {
      await queueUnknownPages(deps, jobs, memory.takeUnknown())
      if (iteration++ % ITERATIONS_PER_READ === 0) {
        const now = deps.clock.now()
        memory.setHours(await listHours(deps.db, now))
        memory.sweep(now.getTime())
      }
      return INTERVAL_MS
    },
  })
}

/**
 * The first visit to a page queues it. Further visits until then change nothing. A site that fails
 * leaves the others their pages.
 */
export async function queueUnknownPages(
  deps: KeeperDeps,
  jobs: Pick<Jobs, 'enqueue'>,
  unknown: readonly UnknownPage[],
): Promise<void> {
  const faults: unknown[] = []
  for (const pages of Map.groupBy(unknown, ({ siteKey }) => siteKey).values()) {
    await queuePagesOfSite(deps, jobs, pages).catch((fault: unknown) => faults.push(fault))
  }
  if (faults.length > 0) throw faults[0]
}

async function queuePagesOfSite(
  { db, ids, clock }: KeeperDeps,
  jobs: Pick<Jobs, 'enqueue'>,
  pages: readonly UnknownPage[],
): Promise<void> {
  const { siteKey } = pages[0]!
  const site = await findCrawledSite(db, BigInt(siteKey))
  if (!site) return
  const found = pages.map(({ url }) => ({ url, depth: 0 }))
  await db.transaction(async (db) => {
    if ((await notePages(db, { site, found, ids, now: clock.now() })) === 0) return
    await jobs.enqueue(db, visitPagesJob, { payload: { siteKey: String(siteKey) } })
  })
}
