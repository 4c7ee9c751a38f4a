import { takeTurns, type Turns } from '../../platform/changes/turns.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Timers } from '../../platform/timers.ts'
import type { Conversion } from './conversion.ts'
import { convert, type ConvertDeps } from './convert.ts'
import { kindOfFault } from './faults.ts'
import type { Showing } from './store-conversions.ts'
import { addQuarantined } from './store-quarantine.ts'
import {
  addWaiting,
  deleteWaiting,
  findNewestNote,
  hasWaiting,
  listReady,
  type Waiting,
} from './store-waiting.ts'

export interface AcceptDeps extends ConvertDeps {
  /** Somebody waits: to be looked at soon. */
  conversionWaits?(): void
}

/**
 * Keeps a conversion: at once, or when the events are settled that were noted before it came, because
 * its click may be among them.
 */
export async function acceptConversion(
  deps: AcceptDeps,
  conversion: Conversion,
  shown?: Showing,
): Promise<void> {
  const noteId = await findNewestNote(deps.pool)
  if (noteId !== undefined && (await addWaiting(deps.pool, { conversion, shown, noteId }))) {
    deps.conversionWaits?.()
    return
  }
  await convert(deps, conversion, shown)
}

export interface WaitingDeps extends ConvertDeps {
  readonly clock: Clock
}

const PAGE = 100

/** Keeps those whose wait is over; returns whether others still wait. Any number of nodes may: twice is once. */
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
    if (kindOfFault(error) !== 'poison') throw error
    await addQuarantined(deps.pool, {
      eventId: conversion.eventId,
      reason: 'poison',
      detail: (error as Error).message,
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

/** Looks after conversions that wait, of this node and of others that are gone. */
export const keepWaiting = (deps: KeeperDeps): Turns =>
  takeTurns({
    timers: deps.timers,
    backoff: BACKOFF,
    onError: deps.onError,
    turn: async () => ((await keepReady(deps)) ? SOON_MS : IDLE_MS),
  })
