import { type Load, untilLow } from '../../../platform/background/load.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import type { TrackedEvent } from '../intake/event.ts'
import { waitAfter } from './settler.ts'
import type { StagingStore, Settlement } from './settler.ts'

export interface StagingSettings {
  /** Events per settled batch. */
  readonly batchMax: number
  /** While this many events are staged, no more are. */
  readonly waitingMax: number
  /** While the load is high, up to `deferMax` events wait for up to `deferMsMax`. Then all settle. */
  readonly deferMax: number
  readonly deferMsMax: number
  /** Under high load one small batch is settled this often. */
  readonly waitMsMax: number
}

export interface StagingDeps {
  readonly store: StagingStore
  readonly timers: Timers
  readonly load: Pick<Load, 'isHigh'>
  readonly settings: StagingSettings
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
const SWEEP_BATCHES_MAX = 500
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
export class Staging {
  private readonly deps: StagingDeps
  private waiting: Waiting[] = []
  private count = 0
  /** Ids of batches that wait or are being settled. */
  private readonly known = new Set<number>()
  private isFirstSweep = true
  private hasSwept = false
  private isStopping = false
  private working: Promise<void> | undefined
  private endWait: (() => void) | undefined
  /** Staged events have waited `deferMsMax`: settle all of them regardless of the load. */
  private isDue = false
  private callOffSweep: (() => void) | undefined
  private sweeping: Promise<void>
  /** The next sweep runs after `EARLY_SWEEP_MS`. */
  private hasEarlyClicks = false

  constructor(deps: StagingDeps) {
    this.deps = deps
    this.sweeping = this.sweep(0)
  }

  /** The first sweep for batches of earlier processes is still running. */
  isOpening(): boolean {
    return this.isFirstSweep
  }

  /** Resolves when batches of earlier processes are settled. */
  async opened(): Promise<void> {
    await this.sweeping
    await this.working
  }

  /** Nothing is staged, so a direct batch overtakes no event. */
  isEmpty(): boolean {
    return this.hasSwept && this.known.size === 0
  }

  /** Number of staged events that are not settled yet. */
  size(): number {
    return this.count
  }

  isFull(): boolean {
    return this.count >= this.deps.settings.waitingMax
  }

  /** Resolves when the events are in the staging table. */
  async stage(events: readonly TrackedEvent[]): Promise<void> {
    this.count += events.length
    const id = await this.deps.store.add(events).catch((error: unknown) => {
      this.count -= events.length
      throw error
    })
    this.take({ id, count: events.length, isFound: false })
  }

  /** This node has restaged early clicks, so sweep soon. */
  sweepForEarlyClicks(): void {
    if (this.hasEarlyClicks) return
    this.hasEarlyClicks = true
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

  private take(batch: Waiting): void {
    this.known.add(batch.id)
    this.waiting.push(batch)
    this.working ??= this.work().finally(() => (this.working = undefined))
  }

  private async work(): Promise<void> {
    const { timers, settings, earlier, drained } = this.deps
    this.isDue = settings.deferMsMax === 0
    const callOff = timers.after(settings.deferMsMax, () => (this.isDue = true))
    while (this.waiting.length > 0) {
      await earlier()
      const batchMax = (await this.untilLow()) ? settings.batchMax : SMALL_BATCH_MAX
      const batches = this.waiting.splice(0, this.batchLength(batchMax))
      const isSettled = await this.settle(batches, batchMax)
      for (const { id, count } of batches) {
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
  private async settle(batches: readonly Waiting[], batchMax: number): Promise<boolean> {
    const ids = idsOf(batches)
    const isOurs = batches.every(({ isFound }) => !isFound)
    for (let failures = 0; ;) {
      try {
        const countsRepeats = isOurs && failures === 0
        const ahead = idsOf(this.waiting.slice(0, this.batchLength(batchMax)))
        const settlement = await this.deps.store.settle(ids, { countsRepeats, ahead })
        if (settlement.early > 0) this.sweepForEarlyClicks()
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
    this.hasEarlyClicks = false
    try {
      const query = { olderThanMs, except: this.known, limit: SWEEP_BATCHES_MAX }
      const found = await this.deps.store.list(query)
      for (const batch of found) {
        if (this.known.has(batch.id)) continue
        this.count += batch.count
        this.take({ id: batch.id, count: batch.count, isFound: !batch.isEarly })
      }
      if (found.length < SWEEP_BATCHES_MAX) this.hasSwept = true
      else this.hasEarlyClicks = true
    } catch (error) {
      this.deps.failed(error)
    }
    if (this.isFirstSweep) {
      this.isFirstSweep = false
      this.deps.drained()
    }
    this.sweepAfter(this.hasEarlyClicks ? EARLY_SWEEP_MS : SWEEP_MS)
  }

  private sweepAfter(ms: number): void {
    this.callOffSweep?.()
    if (this.isStopping) return
    this.callOffSweep = this.deps.timers.after(ms, () => {
      this.sweeping = this.sweeping.then(() => this.sweep(this.hasSwept ? ORPHAN_MS : 0))
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

const idsOf = (batches: readonly Waiting[]): number[] => batches.map(({ id }) => id)
