import { Counter, type Registry } from 'prom-client'
import type { Clock } from '../../../platform/clock.ts'
import { startLoop } from '../../../platform/background/loop.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import type { ConsentReason } from '../consent.ts'

/** The first signal of a request that refused something, or none. */
export type ConsentSignal = ConsentReason | 'none'

export interface ConsentCount {
  /** UTC. */
  readonly day: string
  /** The publisher's account. */
  readonly publisherKey: number
  readonly signal: ConsentSignal
  readonly requests: number
}

export interface ConsentCountsOptions {
  save(counts: readonly ConsentCount[]): Promise<void>
  readonly clock: Clock
  readonly timers: Timers
  readonly metrics: Registry
  onError(error: unknown): void
}

/** Counts requests by refusal in memory and adds the sums to the database, behind the answers. */
export interface ConsentCounts {
  note(publisherKey: number | undefined, reason: ConsentReason | undefined): void
  /** Counts of the last seconds are lost if the process is killed. */
  stop(): Promise<void>
}

const EVERY_MS = 10_000
const BACKOFF = { firstMs: 1_000, maxMs: 60_000 }

export function openConsentCounts(options: ConsentCountsOptions): ConsentCounts {
  const { save, clock, timers, metrics, onError } = options
  let waiting = new Map<number, Map<ConsentSignal, number>>()
  const counted = new Counter({
    name: 'placard_requests_by_consent_total',
    help: 'Ad requests by the first signal that refused something',
    labelNames: ['signal'],
    registers: [metrics],
  })
  const count = (publisherKey: number, signal: ConsentSignal, requests: number) => {
    let signals = waiting.get(publisherKey)
    if (signals === undefined) waiting.set(publisherKey, (signals = new Map()))
    signals.set(signal, (signals.get(signal) ?? 0) + requests)
  }
  const flush = async () => {
    if (waiting.size === 0) return
    const day = clock.now().toISOString().slice(0, 10)
    const counts = [...waiting].flatMap(([publisherKey, signals]) =>
      [...signals].map(([signal, requests]) => ({ day, publisherKey, signal, requests })),
    )
    waiting = new Map()
    try {
      await save(counts)
    } catch (error) {
      for (const { publisherKey, signal, requests } of counts) count(publisherKey, signal, requests)
      throw error
    }
  }
  const loop = startLoop({
    timers,
    backoff: BACKOFF,
    onError,
    async iterate() {
      await flush()
      return EVERY_MS
    },
  })
  return {
    note(publisherKey, reason) {
      const signal = reason ?? 'none'
      counted.inc({ signal })
      if (publisherKey !== undefined) count(publisherKey, signal, 1)
    },
    async stop() {
      await loop.stop()
      await flush()
    },
  }
}
