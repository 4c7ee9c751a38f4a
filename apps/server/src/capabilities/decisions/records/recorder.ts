import type { Context, Decision } from '@placard/decision-engine'
import type { Asked } from '../serving/asked.ts'
import type { Door } from '../serving/door-request.ts'

/** Everything worth keeping about one answered request. Written after the reply. */
export interface DecisionRecord {
  /** UUIDv7: the auction id, which tracking links carry. */
  readonly decisionId: string
  readonly decidedAt: Date
  readonly kind: 'slug' | 'auction' | 'page' | Door
  readonly placementKey: number | undefined
  readonly placementType: string
  readonly siteKey: number | undefined
  /** Keyed hash, never the caller's own id. Undefined for an unknown user or without consent. */
  readonly userKey: string | undefined
  /** Session key, and key of the address within its hour. Only answers by slug have them. */
  readonly sessionKey?: string | undefined
  readonly addressKey?: string | undefined
  /** The publisher's currency. Undefined while nobody sells. */
  readonly currency?: string | undefined
  readonly context: Context
  /** What the request said beyond its placement: of doors, and of requests by type. */
  readonly asked?: Asked | undefined
  readonly seed: number
  readonly decision: Decision
  readonly durationMicros: number
}

/** Takes records without delaying a reply. Bounded: what does not fit is dropped and counted. */
export interface Recorder {
  record(record: DecisionRecord): void
  /** Writes everything that waits. Used at shutdown and by tests. */
  flush(): Promise<void>
}
