import type { TrackedEvent } from './event.ts'

/** Keeps events on the local disk while the database is away; first in, first out, bounded. */
export interface Spool {
  /** `kept` is said only when they survive the machine losing power. */
  append(events: readonly TrackedEvent[]): Promise<'kept' | 'full'>
  /** The oldest ones, which stay until they are removed. */
  read(limit: number): Promise<SpoolPage>
  remove(through: number): Promise<void>
  /** How many are kept, as far as is known here. */
  count(): number
  /** Whether the last try to write succeeded; if it did not, another one is made. */
  isWritable(): boolean
  close(): Promise<void>
}

export interface SpoolPage {
  readonly events: readonly TrackedEvent[]
  /** What to remove when these are settled. */
  readonly through: number
}
