import type { TrackedEvent } from './event.ts'

/** Keeps events on the local disk while PostgreSQL is unavailable. First in, first out, bounded. */
export interface Spool {
  /** Answers `kept` only after fsync, so that a power loss loses nothing. */
  append(events: readonly TrackedEvent[]): Promise<'kept' | 'full'>
  /** The oldest events. They stay until `remove`. */
  read(limit: number): Promise<SpoolPage>
  remove(through: number): Promise<void>
  /** Number of spooled events, as of the last answer of the thread. */
  count(): number
  /** Whether the last write succeeded. After a failure each call tries another write. */
  isWritable(): boolean
  close(): Promise<void>
}

export interface SpoolPage {
  readonly events: readonly TrackedEvent[]
  /** The argument for `remove` once these events are settled. */
  readonly through: number
}
