import { type Load, untilLow } from '../../../platform/background/load.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import type { TrackedEvent } from '../intake/event.ts'
import { waitAfter } from './faults.ts'
import type { InboxStore, Settlement } from './settler.ts'

export interface InboxSettings {
  /** Events per settled batch. */
  readonly batchMax: number
  /** While this many events are staged, no more are. */
  readonly waitingMax: number
  /** While the load is high, up to so many events wait, for up to so long. Then all are settled first. */
  readonly deferMax: number
  readonly deferMsMax: number
  /** Under high load one small batch is settled this often. */
  readonly waitMsMax: number
}

export interface InboxDeps {
  readonly store: InboxStore
  readonly timers: Timers
  readonly load: Pick<Load, 'isHigh'>
  readonly settings: InboxSettings
  /**
   * Resolves when earlier direct batches are settled, so that a click does not overtake its
   * impression.
   */
  earlier(): Promise<void>
  settled(settlement: Settlement): void
  failed(error: unknown): void
  /** Called when there may be room for more events. */
  drained(): void
}

const SWEEP_MS = 2_000
/** Sweep interval while early clicks wait for their impressions. */
const EARLY_SWEEP_MS = 200
const SWEEP_NOTES_MAX = 500
/** A batch staged this long ago belongs to a process that is gone: no burst lasts as long. */
const ORPHAN_MS = 30_000
/** Events that are settled together while the load is high. */
const SMALL_BATCH_MAX = 2_000

/** A staged batch without its events, which are read again to settle it. */
interface Waiting {
  readonly id: number
  readonly count: number
  /** Another process may have settled it. */
  readonly isFound: boolean
}

/**
 * Settles staged events after they were acknowledged. A sweep finds batches of processes that have
 * ended. Two processes may settle the same batch: the event ids make it count once.
 */
export class Inbox {
  private readonly deps: InboxDeps
  private waiting: Waiting[] = []
  private count = 0
  /** Ids of batches that wait or are being settled. */
  private readonly known = new Set<number>()
  private isLooking = true
  private hasLooked = false
  private isStopping = false
  private working: Promise<void> | undefined
  private endWait: (() => void) | undefined
  /** What waits has waited long enough: nobody comes before it until all of it is settled. */
  private isDue = false
  private callOffSweep: (() => void) | undefined
  private sweeping: Promise<void>
  /** The next sweep runs after `EARLY_SWEEP_MS`. */
  private isSoon = false

  constructor(deps: InboxDeps) {
    this.deps = deps
    this.sweeping = this.sweep(0)
  }

  /** The first sweep for batches of earlier processes is still running. */
  isOpening(): boolean {
    return this.isLooking
  }

  /** Resolves when batches of earlier processes are settled. */
  async opened(): Promise<void> {
    await this.sweeping
    await this.working
  }

  /** Nothing is staged, so a direct batch overtakes no event. */
  isEmpty(): boolean {
    return this.hasLooked && this.known.size === 0
  }

  /** Number of staged events that are not settled yet. */
  size(): number {
    return this.count
  }

  isFull(): boolean {
    return this.count >= this.deps.settings.waitingMax
  }

  /** Resolves when the events are in the staging table. */
  async note(events: readonly TrackedEvent[]): Promise<void> {
    this.count += events.length
    const id = await this.deps.store.add(events).catch((error: unknown) => {
      this.count -= events.length
      throw error
    })
    this.take({ id, count: events.length, isFound: false })
  }

  /** This node has restaged early clicks, so sweep soon. */
  lookSoon(): void {
    if (this.isSoon) return
    this.isSoon = true
    this.sweepAfter(EARLY_SWEEP_MS)
  }

  /** Settles what it can. A later process finds the rest. */
  async stop(): Promise<void> {
    this.isStopping = true
    this.callOffSweep?.()
    this.endWait?.()
    await this.sweeping
    await this.working
  }

  private take(note: Waiting): void {
    this.known.add(note.id)
    this.waiting.push(note)
    this.working ??= this.work().finally(() => (this.working = undefined))
  }

  private async work(): Promise<void> {
    const { timers, settings, earlier, drained } = this.deps
    this.isDue = settings.deferMsMax === 0
    const callOff = timers.after(settings.deferMsMax, () => (this.isDue = true))
    while (this.waiting.length > 0) {
      await earlier()
      const batchMax = (await this.untilLow()) ? settings.batchMax : SMALL_BATCH_MAX
      const notes = this.waiting.splice(0, this.batchLength(batchMax))
      const isSettled = await this.settle(notes, batchMax)
      for (const { id, count } of notes) {
        this.known.delete(id)
        this.count -= count
      }
      if (!isSettled) break
      drained()
    }
    callOff()
  }

  /** Settling costs more than staging, so requests go first. False: time for a small batch. */
  private untilLow(): Promise<boolean> {
    const { load, timers, settings } = this.deps
    return untilLow(load, { timers, msMax: settings.waitMsMax, isUrgent: () => this.isUrgent() })
  }

  private isUrgent(): boolean {
    this.isDue ||= this.count >= this.deps.settings.deferMax
    return this.isDue || this.isStopping
  }

  /** Number of batches to settle together, at least one. */
  private batchLength(batchMax: number): number {
    let sum = 0
    const end = this.waiting.findIndex(({ count }) => {
      sum += count
      return sum > batchMax
    })
    return end < 0 ? this.waiting.length : Math.max(1, end)
  }

  /** Reads the next batches, up to `batchMax` events, in the meantime. */
  private async settle(notes: readonly Waiting[], batchMax: number): Promise<boolean> {
    const ids = idsOf(notes)
    const isOurs = notes.every(({ isFound }) => !isFound)
    for (let failures = 0; ;) {
      try {
        const countsRepeats = isOurs && failures === 0
        const ahead = idsOf(this.waiting.slice(0, this.batchLength(batchMax)))
        const settlement = await this.deps.store.settle(ids, { countsRepeats, ahead })
        if (settlement.early > 0) this.lookSoon()
        this.deps.settled(settlement)
        return true
      } catch (error) {
        failures++
        this.deps.failed(error)
        if (this.isStopping) return false
        await this.wait(waitAfter(failures))
      }
    }
  }

  /** Takes batches of ended processes, and early clicks that need not wait any longer. */
  private async sweep(olderThanMs: number): Promise<void> {
    this.isSoon = false
    try {
      const query = { olderThanMs, except: this.known, limit: SWEEP_NOTES_MAX }
      const found = await this.deps.store.list(query)
      for (const note of found) {
        if (this.known.has(note.id)) continue
        this.count += note.count
        this.take({ id: note.id, count: note.count, isFound: !note.isEarly })
      }
      if (found.length < SWEEP_NOTES_MAX) this.hasLooked = true
      else this.isSoon = true
    } catch (error) {
      this.deps.failed(error)
    }
    if (this.isLooking) {
      this.isLooking = false
      this.deps.drained()
    }
    this.sweepAfter(this.isSoon ? EARLY_SWEEP_MS : SWEEP_MS)
  }

  private sweepAfter(ms: number): void {
    this.callOffSweep?.()
    if (this.isStopping) return
    this.callOffSweep = this.deps.timers.after(ms, () => {
      this.sweeping = this.sweeping.then(() => this.sweep(this.hasLooked ? ORPHAN_MS : 0))
    })
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const callOff = this.deps.timers.after(ms, resolve)
      this.endWait = () => {
        callOff()
        resolve()
      }
    })
  }
}

const idsOf = (notes: readonly Waiting[]): number[] => notes.map(({ id }) => id)
