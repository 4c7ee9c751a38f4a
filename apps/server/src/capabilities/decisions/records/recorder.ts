import type { Context, Decision } from '@placard/decision-engine'

/** Everything about one answered request that is worth keeping; written after the reply. */
export interface DecisionRecord {
  /** uuid v7: the auction id, and what tracking links name. */
  readonly decisionId: string
  readonly decidedAt: Date
  readonly kind: 'slug' | 'auction' | 'page'
  readonly placementKey: number | undefined
  readonly placementType: string
  readonly siteKey: number | undefined
  /** Keyed hash, never the caller's own id; undefined when the user is unknown or did not agree. */
  readonly userKey: string | undefined
  /** Of the visit, and of the address within its hour; only answers by slug have them. */
  readonly sessionKey?: string | undefined
  readonly addressKey?: string | undefined
  /** The publisher's, else the buyer's; undefined when there is neither. */
  readonly currency?: string | undefined
  readonly context: Context
  readonly seed: number
  readonly decision: Decision
  readonly durationMicros: number
}

/** Takes records without ever making a reply wait: bounded, and what does not fit is counted. */
export interface Recorder {
  record(record: DecisionRecord): void
  /** Writes what is waiting; used at drain and by tests. */
  flush(): Promise<void>
}
