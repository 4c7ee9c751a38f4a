import { startLoop } from '../../../platform/background/loop.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import { hasBanners, rollUpBanners, rollUpMissed } from './store-banners.ts'
import { addConverted, addSettled } from './store-cube.ts'
import { addReaders, rebuildReaders } from '../reach/store-reach.ts'
import { rebuildDay } from './store-rebuild-day.ts'
import { findRebuild } from './store-rebuilds.ts'

export interface BuilderDeps {
  readonly db: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly observer: BuilderObserver
}

export interface BuilderObserver {
  added(events: number): void
  rebuilt(day: string): void
  failed(error: unknown): void
}

export interface Builder {
  /** Waits for the current step. */
  stop(): Promise<void>
}

const POLL_MS = 1_000
/** Readers are counted in larger steps, because a step writes every sketch it touches in full. */
const READERS_MS = 30_000
/** After a night without a run, or a first start with old events, days are rolled up soon. */
const MISSED_MS = 60_000
const BACKOFF = { firstMs: 1_000, maxMs: 60_000 }

/**
 * Keeps the sums up to date. Any number of processes may run it: the cursors let one add at a time.
 */
export function startBuilder({ db, clock, timers, observer }: BuilderDeps): Builder {
  const onError = (error: unknown) => observer.failed(error)
  let isCaughtUp = false
  const sums = startLoop({
    timers,
    backoff: BACKOFF,
    onError,
    async iterate() {
      const day = await findRebuild(db)
      if (day) {
        await rebuildAll({ db, clock }, day)
        observer.rebuilt(day)
      }
      isCaughtUp = !(await addStep({ db, clock, observer }))
      return isCaughtUp ? POLL_MS : 0
    },
  })
  const readers = startLoop({
    timers,
    backoff: BACKOFF,
    onError,
    iterate: async () => ((await addReaders(db)).hasMore ? 0 : READERS_MS),
  })
  const missed = startLoop({
    timers,
    backoff: BACKOFF,
    onError,
    async iterate() {
      // A day with half of its sums would be rolled up by half and then count as done.
      if (!isCaughtUp) return POLL_MS
      return (await rollUpMissed(db, clock.now())) > 0 ? 0 : MISSED_MS
    },
  })
  return {
    async stop() {
      await Promise.all([sums.stop(), readers.stop(), missed.stop()])
    },
  }
}

/** Rebuilds everything that is summed for a day. The sums come last: with them the day is done. */
export async function rebuildAll(
  { db, clock }: Pick<BuilderDeps, 'db' | 'clock'>,
  day: string,
): Promise<void> {
  await rebuildReaders(db, day)
  await db.transaction(async (db) => {
    await rebuildDay(db, day)
    if (await hasBanners(db, day)) await rollUpBanners(db, day, clock.now())
  })
}

/** Adds a limited part of what is new. True if there is more. */
export async function addStep({
  db,
  clock,
  observer,
}: Pick<BuilderDeps, 'db' | 'clock' | 'observer'>): Promise<boolean> {
  const settled = await addSettled(db, clock.now())
  const converted = await addConverted(db)
  observer.added(settled.events + converted.events)
  return settled.hasMore || converted.hasMore
}
