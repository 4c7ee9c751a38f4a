import { startLoop, type Loop } from '../../../platform/background/loop.ts'
import type { Clock } from '../../../platform/clock.ts'
import { Problem } from '../../../platform/problem.ts'
import { systemTimers, type Timers } from '../../../platform/background/timers.ts'
import type { Conversion } from './conversion.ts'
import { convert, type ConvertDeps } from './convert.ts'
import { failureOfBatch, messageOf } from '../settlement/settler.ts'
import { trackingProblems } from '../problems.ts'
import type { Showing } from './store.ts'
import { addQuarantined } from '../settlement/store-quarantine.ts'
import {
  addWaiting,
  deleteWaiting,
  findNewestStagedBatch,
  hasWaiting,
  listReady,
  type Waiting,
} from './store-waiting.ts'

export interface AcceptDeps extends ConvertDeps {
  /** Resolves when this node's spool is settled. */
  spoolSettled?(): Promise<void>
  readonly timers?: Timers
  /** Called when a conversion starts to wait. */
  conversionWaits?(): void
}

/** Enough to settle a spool of a few minutes. */
const SPOOL_MS_MAX = 3_000

/**
 * Stores a conversion at once, or leaves it pending until the events staged before it are settled,
 * because its click may be among them. Other nodes cannot see this node's spool. So while it holds
 * events, the caller waits, and gets 503 after `SPOOL_MS_MAX`.
 */
export async function acceptConversion(
  deps: AcceptDeps,
  conversion: Conversion,
  shown?: Showing,
): Promise<void> {
  await untilSpoolSettled(deps)
  const stagedBatchId = await findNewestStagedBatch(deps.pool)
  if (
    stagedBatchId !== undefined &&
    (await addWaiting(deps.pool, { conversion, shown, stagedBatchId }))
  ) {
    deps.conversionWaits?.()
    return
  }
  await convert(deps, conversion, shown)
}

async function untilSpoolSettled({ spoolSettled, timers = systemTimers }: AcceptDeps) {
  if (!spoolSettled) return
  const late = new Problem(trackingProblems.eventsRefused, 'Earlier events are being settled.')
  const { promise: timeOver, reject } = Promise.withResolvers<never>()
  const callOff = timers.after(SPOOL_MS_MAX, () => reject(late))
  try {
    await Promise.race([spoolSettled(), timeOver])
  } finally {
    callOff()
  }
}

export interface WaitingDeps extends ConvertDeps {
  readonly clock: Clock
}

const PAGE = 100

/**
 * Stores the conversions that need not wait any longer. Returns whether others still do. Several
 * nodes may do so at once: repeats count once.
 */
export async function keepReady(deps: WaitingDeps): Promise<boolean> {
  for (const waiting of await listReady(deps.pool, PAGE)) {
    await keep(deps, waiting)
    await deleteWaiting(deps.pool, waiting.id)
  }
  return hasWaiting(deps.pool)
}

async function keep(deps: WaitingDeps, { conversion, shown }: Waiting): Promise<void> {
  try {
    await convert(deps, conversion, shown)
  } catch (error) {
    if (failureOfBatch(error) !== 'rejected') throw error
    await addQuarantined(deps.pool, {
      eventId: conversion.eventId,
      reason: 'poison',
      detail: messageOf(error),
      event: JSON.stringify({ ...conversion, valueMicros: conversion.valueMicros?.toString() }),
      receivedAt: new Date(conversion.receivedAtMs),
      quarantinedAt: deps.clock.now(),
    })
  }
}

const BACKOFF = { firstMs: 1_000, maxMs: 10_000 }
const SOON_MS = 200
const IDLE_MS = 5_000

export interface KeeperDeps extends WaitingDeps {
  readonly timers: Timers
  onError(error: unknown): void
}

/** Stores pending conversions of this node and of nodes that have ended. */
export const keepWaiting = (deps: KeeperDeps): Loop =>
  startLoop({
    timers: deps.timers,
    backoff: BACKOFF,
    onError: deps.onError,
    iterate: async () => ((await keepReady(deps)) ? SOON_MS : IDLE_MS),
  })
