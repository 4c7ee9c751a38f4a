import { LOW_LOAD } from '../platform/background/load.ts'
import type { Pool } from 'pg'
import { Registry } from 'prom-client'
import { createBudgetBook } from '../capabilities/budgets/index.ts'
import {
  claimsOf,
  createRecorder,
  endHolds,
  openCatalogue,
  prepareAuctionDays,
  savePurchase,
  type Served,
  servePlacements,
  SitePacing,
  userKeyAt,
} from '../capabilities/decisions/index.ts'
import { createCounters } from '../capabilities/frequency/index.ts'
import {
  type Conversion,
  convert,
  createSettler,
  eventFrom,
  openIngestPool,
  type Showing,
  type TrackedEvent,
} from '../capabilities/tracking/index.ts'
import type { PlacardBase } from './base.ts'
import {
  A_WEEK,
  fateOf,
  type HistorySize,
  hoursBefore,
  type Visit,
  visitsOf,
} from '../../../demo/src/visitors/history.ts'
import { type Ids, idsFrom } from '../platform/ids.ts'

/**
 * The week before the demo's first start: decided, recorded, shown, clicked and charged by the
 * production code, with a clock that runs through the week in seconds.
 */
export async function composeDemoHistory(base: HistoryBase, size = A_WEEK): Promise<void> {
  const pool = openIngestPool(base.url, 1)
  try {
    await liveThrough(base, size, pool)
  } finally {
    await pool.end()
  }
}

type HistoryBase = Pick<PlacardBase, 'db' | 'url' | 'random' | 'clock' | 'log'>

async function liveThrough(
  { db, random, log, clock: today }: HistoryBase,
  { days, visitsPerDay }: HistorySize,
  pool: Pool,
): Promise<void> {
  const nowMs = today.now().getTime()
  let atMs = nowMs
  const clock = { now: () => new Date(atMs) }
  const budgets = createBudgetBook({ clock, random })
  const counters = createCounters({ clock, random })
  const catalogue = await openCatalogue({ db, clock, budgets })
  const { content, index } = catalogue
  const ids = idsFrom({ clock, random })
  const settler = createSettler({ pool, node: 'demo', clock, ids })
  const recorder = createRecorder({
    db,
    clock,
    log,
    load: LOW_LOAD,
    metrics: new Registry(),
  })
  const sitePacing = new SitePacing({ content, budgets })
  const serveDeps = { catalogue, budgets, counters, sitePacing, clock, random, ids }
  const placements = index.placements.flatMap(({ record }) => (record?.active ? [record] : []))
  // A buyer has just clicked: no other impression could have led to the purchase.
  const convertDeps = { pool, purchased: savePurchase, listShowings: async () => [] }
  const terms = { nowMs, visitsPerDay, placements, random }

  for (const hourMs of hoursBefore(nowMs, days)) {
    atMs = hourMs
    await prepareAuctionDays({ db, clock })
    const happened: Happened[] = []
    for (const visit of visitsOf(hourMs, terms)) {
      atMs = visit.atMs
      const publisherKey = content.placements.get(visit.placement.key)!.accountKey
      const userKey = userKeyAt(publisherKey, visit.reader)
      const { context } = visit
      const reader = { context, userKey, publisherKey, deviceSessionId: undefined }
      const asking = { reader, isDry: false, placements: [visit.placement] }
      for (const served of await servePlacements(serveDeps, asking)) {
        recorder.record(served.record)
        happened.push(...happenedAfter(served, visit, { random, ids, userKey }))
      }
    }
    const events = happened.flatMap((one) => one.events)
    if (events.length === 0) continue
    const settlement = await settler.settle(events, { countsRepeats: true })
    await endHolds({ budgets, counters }, settlement)
    for (const { purchase, shown } of happened) {
      if (purchase && purchase.occurredAtMs < nowMs) await convert(convertDeps, purchase, shown)
    }
    while (budgets.sweep() > 0);
  }
  await recorder.flush()
}

interface FateDeps extends Pick<PlacardBase, 'random'> {
  readonly ids: Ids
  readonly userKey: string
}

/** What followed from one banner. */
interface Happened {
  readonly events: readonly TrackedEvent[]
  readonly purchase: Conversion | undefined
  readonly shown: Showing
}

function happenedAfter(
  served: Served,
  visit: Visit,
  { random, ids, userKey }: FateDeps,
): Happened[] {
  return served.showings.map((_, position) => {
    const claims = claimsOf(served, position)
    const { decisionId, utcDay: decisionDay, winner } = claims
    const { seenMs, viewedMs, clickedMs, bought } = fateOf(random)
    const times = { impression: seenMs, view: viewedMs, click: clickedMs }
    const events = Object.entries(times).flatMap(([kind, afterMs]) => {
      if (afterMs === undefined) return []
      const its = { ...at(visit, afterMs), ...circumstancesOf(visit) }
      return [eventFrom(claims, kind as TrackedEvent['kind'], its)]
    })
    const shown = { decisionId, decisionDay, position }
    const purchase = bought && {
      ...shown,
      ...at(visit, bought.afterMs),
      ...FINE,
      kind: 'purchase' as const,
      way: 'server' as const,
      eventId: ids.next(),
      advertiserKey: winner.advertiserKey,
      userKey,
      orderId: `demo-${ids.next()}`,
      valueMicros: bought.valueMicros,
      currency: 'EUR',
    }
    return { events, purchase, shown }
  })
}

function at({ atMs }: Visit, afterMs: number) {
  const occurredAtMs = Math.round(atMs + afterMs)
  return { occurredAtMs, receivedAtMs: occurredAtMs }
}

const FINE = { clock: 'on-time', label: 'valid' } as const

const circumstancesOf = ({ context }: Visit) => ({
  deviceType: context.device,
  countryCode: context.country,
  ...FINE,
})
