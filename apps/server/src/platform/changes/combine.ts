import { backoffMs } from '../background/backoff.ts'
import { systemUptime, type Uptime } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { failureOf } from '../database/failure.ts'
import { cursorNow } from '../database/ordered-feed.ts'
import type { ChangeSubscriber } from './changes.ts'

export interface CombineOptions {
  /** A subscriber failed and was left behind. */
  onError(error: unknown): void
  readonly uptime?: Uptime
}

/** Pause before a subscriber that was left behind is tried again. */
const BACKOFF = { firstMs: 1_000, maxMs: 30_000 }

/** A subscriber, and when it was left behind. */
interface Part {
  readonly subscriber: ChangeSubscriber
  behind: { readonly sinceMs: number; failures: number; retryAtMs: number } | undefined
}

/**
 * Several subscribers on one feed. One that fails is left behind: the others continue, and it reloads
 * everything after a pause, until that succeeds. While PostgreSQL is unavailable nobody is left
 * behind: all get the same changes again.
 */
export function combineSubscribers(
  db: Database,
  subscribers: readonly ChangeSubscriber[],
  { onError, uptime = systemUptime }: CombineOptions,
): ChangeSubscriber {
  const parts: Part[] = subscribers.map((subscriber) => ({ subscriber, behind: undefined }))

  const leaveBehind = (part: Part, error: unknown) => {
    if (failureOf(error) === 'unavailable') throw error
    const nowMs = uptime.nowMs()
    const { sinceMs, failures } = part.behind ?? { sinceMs: nowMs, failures: 0 }
    const retryAtMs = nowMs + backoffMs(BACKOFF, failures + 1)
    part.behind = { sinceMs, failures: failures + 1, retryAtMs }
    onError(error)
  }
  const eachInStep = async (call: (subscriber: ChangeSubscriber) => unknown) => {
    for (const part of parts) {
      if (part.behind !== undefined) continue
      try {
        await call(part.subscriber)
      } catch (error) {
        leaveBehind(part, error)
      }
    }
  }

  return {
    onChanges: (changes) => eachInStep((subscriber) => subscriber.onChanges(changes)),
    async onReload() {
      const cursor = await cursorNow(db)
      await eachInStep((subscriber) => subscriber.onReload())
      return cursor
    },
    onReconcile: () => eachInStep((subscriber) => subscriber.onReconcile?.()),
    async catchUp() {
      for (const part of parts) {
        if (part.behind === undefined || part.behind.retryAtMs > uptime.nowMs()) continue
        try {
          await part.subscriber.onReload()
          part.behind = undefined
        } catch (error) {
          leaveBehind(part, error)
        }
      }
    },
    behindMs() {
      const sinceMs = Math.min(...parts.map(({ behind }) => behind?.sinceMs ?? Infinity))
      return sinceMs === Infinity ? 0 : Math.max(1, uptime.nowMs() - sinceMs)
    },
  }
}
