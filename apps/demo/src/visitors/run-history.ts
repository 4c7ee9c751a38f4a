import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import { Registry } from 'prom-client'
import { createBudgetBook } from '../../../server/src/capabilities/budgets/index.ts'
import { ALLOWED } from '../../../server/src/capabilities/consent/index.ts'
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
} from '../../../server/src/capabilities/decisions/index.ts'
import {
  createCounters,
  createMemoryVisits,
  saveVisits,
  type VisitRow,
} from '../../../server/src/capabilities/frequency/index.ts'
import {
  type Conversion,
  convert,
  createSettler,
  eventFrom,
  openIngestPool,
  type Showing,
  type TrackedEvent,
} from '../../../server/src/capabilities/tracking/index.ts'
import {
  A_WEEK,
  outcomeOf,
  type HistorySize,
  hoursBefore,
  type Visit,
  visitsOf,
} from './history.ts'
import { LOW_LOAD } from '../../../server/src/platform/background/load.ts'
import type { Clock } from '../../../server/src/platform/clock.ts'
import type { Database } from '../../../server/src/platform/database/connect.ts'
import { type Ids, idsFrom } from '../../../server/src/platform/ids.ts'
import type { Random } from '../../../server/src/platform/random.ts'

export interface HistoryDeps {
  readonly db: Database
  readonly url: string
  readonly clock: Clock
  readonly random: Random
  readonly log: FastifyBaseLogger
}

/**
 * Runs the week before the demo's first start through the production code: decisions, records, events
 * and charges, with a clock that passes through the week in seconds.
 */
export async function runHistory(deps: HistoryDeps, size = A_WEEK): Promise<void> {
  const pool = openIngestPool(deps.url, 1)
  try {
    await runHours(deps, size, pool)
  } finally {
    await pool.end()
  }
}

async function runHours(
  { db, random, log, clock: today }: HistoryDeps,
  { days, visitsPerDay }: HistorySize,
  pool: Pool,
): Promise<void> {
  const nowMs = today.now().getTime()
  let atMs = nowMs
  const clock = { now: () => new Date(atMs) }
  const budgets = createBudgetBook({ clock, random })
  const counters = createCounters({ clock, random })
  const noted = new Map<string, VisitRow>()
  const visits = createMemoryVisits({ clock, note: (row) => void noted.set(row.userKey, row) })
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
  const serveDeps = { catalogue, budgets, counters, visits, sitePacing, clock, random, ids }
  const placements = index.placements.flatMap(({ record }) => (record?.active ? [record] : []))
  // A buyer has just clicked, so no other impression can have led to the purchase.
  const convertDeps = { pool, purchased: savePurchase, listShowings: async () => [] }
  const terms = { nowMs, visitsPerDay, placements, random }

  for (const hourMs of hoursBefore(nowMs, days)) {
    atMs = hourMs
    await prepareAuctionDays({ db, clock })
    const effects: ShowingEffects[] = []
    for (const visit of visitsOf(hourMs, terms)) {
      atMs = visit.atMs
      const publisherKey = content.placements.get(visit.placement.key)!.accountKey
      const userKey = userKeyAt(publisherKey, visit.reader)
      const { context } = visit
      const known = { userKey, publisherKey, permissions: ALLOWED }
      const reader = { ...known, context, deviceSessionId: undefined, holder: undefined }
      const request = { reader, isDry: false, placements: [visit.placement] }
      for (const served of await servePlacements(serveDeps, request)) {
        recorder.record(served.record)
        effects.push(...effectsOf(served, visit, { random, ids, userKey }))
      }
    }
    const events = effects.flatMap((one) => one.events)
    if (events.length === 0) continue
    const settlement = await settler.settle(events, { countsRepeats: true })
    await endHolds({ budgets, counters }, settlement)
    for (const { purchase, shown } of effects) {
      if (purchase && purchase.occurredAtMs < nowMs) await convert(convertDeps, purchase, shown)
    }
    while (budgets.sweep() > 0);
  }
  await recorder.flush()
  await saveVisits(pool, [...noted.values()])
}

interface EffectDeps {
  readonly random: Random
  readonly ids: Ids
  readonly userKey: string
}

/** Events and purchase that follow from one banner. */
interface ShowingEffects {
  readonly events: readonly TrackedEvent[]
  readonly purchase: Conversion | undefined
  readonly shown: Showing
}

function effectsOf(
  served: Served,
  visit: Visit,
  { random, ids, userKey }: EffectDeps,
): ShowingEffects[] {
  return served.showings.map((_, position) => {
    const claims = claimsOf(served, position)
    const { decisionId, utcDay: decisionDay, winner } = claims
    const { seenMs, viewedMs, clickedMs, bought } = outcomeOf(random)
    const times = { impression: seenMs, view: viewedMs, click: clickedMs }
    const events = Object.entries(times).flatMap(([kind, afterMs]) => {
      if (afterMs === undefined) return []
      const details = { ...at(visit, afterMs), ...circumstancesOf(visit) }
      return [eventFrom(claims, kind as TrackedEvent['kind'], details)]
    })
    const shown = { decisionId, decisionDay, position }
    const purchase = bought && {
      ...shown,
      ...at(visit, bought.afterMs),
      ...VALID,
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

const VALID = { clock: 'on-time', label: 'valid' } as const

const circumstancesOf = ({ context }: Visit) => ({
  deviceType: context.device,
  countryCode: context.country,
  ...VALID,
})
