import type { Timers } from '../../../platform/background/timers.ts'
import type { TrackedEvent } from '../intake/event.ts'
import { waitAfter } from './faults.ts'
import type { InboxStore, Settlement } from './settler.ts'

export interface InboxSettings {
  /** Events that are settled together. */
  readonly batchMax: number
  /** Events that wait to be settled; while there are as many, no more are noted. */
  readonly waitingMax: number
  /** So many, and for so long, may wait while others rush in; then all of them are settled first. */
  readonly giveWayMax: number
  readonly giveWayMs: number
  /** Also in a rush a batch goes at the latest so long after the one before it: a small one. */
  readonly waitMsMax: number
}

export interface InboxDeps {
  readonly store: InboxStore
  readonly timers: Timers
  readonly settings: InboxSettings
  /** Resolves when what was taken before is settled: a click must not overtake its impression. */
  earlier(): Promise<void>
  settled(settlement: Settlement): void
  failed(error: unknown): void
  /** There may be room for more. */
  drained(): void
}

const SWEEP_MS = 2_000
/** So soon the notes before an early click are settled, mostly. */
const SOON_MS = 200
const SWEEP_NOTES_MAX = 500
/** So long a note may wait before it is taken for one whose process is gone: longer than after any rush. */
const ORPHAN_MS = 30_000
/** A rush: so many are noted in one turn. Meanwhile so many are settled together. */
const RUSH = { events: 256, turnMs: 20, batchMax: 2_000 }

/** A note, without its events: they are read again when it is settled. */
interface Waiting {
  readonly id: number
  readonly count: number
  /** Whether somebody else may have settled it. */
  readonly isFound: boolean
}

/**
 * Settles events after they were acknowledged. They are safe as notes in the database; what a process
 * leaves behind is found there by the next one that looks. Two that settle the same note do no harm:
 * the events' own keys decide.
 */
export class Inbox {
  private readonly deps: InboxDeps
  private waiting: Waiting[] = []
  private count = 0
  /** Waiting, or being settled. */
  private readonly known = new Set<number>()
  private isLooking = true
  private hasLooked = false
  private isStopping = false
  private working: Promise<void> | undefined
  private endWait: (() => void) | undefined
  /** Events noted in this turn. */
  private rush = 0
  /** What waits has waited long enough: nobody comes before it until all of it is settled. */
  private isDue = false
  private callOffSweep: (() => void) | undefined
  private sweeping: Promise<void>
  /** A sweep is due sooner than usual. */
  private isSoon = false

  constructor(deps: InboxDeps) {
    this.deps = deps
    this.sweeping = this.sweep(0)
  }

  /** Nobody knows yet what an earlier process has left behind. */
  isOpening(): boolean {
    return this.isLooking
  }

  /** Resolves when what an earlier process has left behind is settled. */
  async opened(): Promise<void> {
    await this.sweeping
    await this.working
  }

  /** Nothing waits: what is settled now overtakes nobody. */
  isEmpty(): boolean {
    return this.hasLooked && this.known.size === 0
  }

  /** How many events are noted here and not settled yet. */
  size(): number {
    return this.count
  }

  isFull(): boolean {
    return this.count >= this.deps.settings.waitingMax
  }

  /** Resolves when the events are safe. */
  async note(events: readonly TrackedEvent[]): Promise<void> {
    this.count += events.length
    const id = await this.deps.store.add(events).catch((error: unknown) => {
      this.count -= events.length
      throw error
    })
    this.rush += events.length
    this.take({ id, count: events.length, isFound: false })
  }

  /** Clicks were put back, by this node: they wait for what another has noted. */
  lookSoon(): void {
    if (this.isSoon) return
    this.isSoon = true
    this.sweepAfter(SOON_MS)
  }

  /** Settles what it can. What fails now is found by the next process. */
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
    this.isDue = settings.giveWayMs === 0
    const callOff = timers.after(settings.giveWayMs, () => (this.isDue = true))
    while (this.waiting.length > 0) {
      await earlier()
      const batchMax = (await this.giveWay()) ? settings.batchMax : RUSH.batchMax
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

  /**
   * Settling costs more than noting: in a rush those who wait for an answer come first, for some seconds.
   * False: the rush goes on, and it is time for a small batch.
   */
  private async giveWay(): Promise<boolean> {
    const { timers, settings } = this.deps
    const wait = { isOver: false }
    const callOff = timers.after(settings.waitMsMax, () => (wait.isOver = true))
    while (this.isRush() && !wait.isOver) {
      this.rush = 0
      await this.wait(RUSH.turnMs)
    }
    callOff()
    return !wait.isOver
  }

  private isRush(): boolean {
    this.isDue ||= this.count >= this.deps.settings.giveWayMax
    return !this.isDue && !this.isStopping && this.rush >= RUSH.events
  }

  /** How many notes are settled next; one at least. */
  private batchLength(batchMax: number): number {
    let sum = 0
    const end = this.waiting.findIndex(({ count }) => {
      sum += count
      return sum > batchMax
    })
    return end < 0 ? this.waiting.length : Math.max(1, end)
  }

  /** `batchMax`: how many may follow, which are read meanwhile. */
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

  /** Takes notes that a process has left behind, and early clicks that need not wait any longer. */
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
    this.sweepAfter(this.isSoon ? SOON_MS : SWEEP_MS)
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
