import type { Load } from '../../../platform/background/load.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import type { TrackedEvent } from './event.ts'
import { failureOfBatch, waitAfter } from '../settlement/settler.ts'
import { Staging } from '../settlement/staging.ts'
import type { Settlement, Settler } from '../settlement/settler.ts'
import type { Spool } from './spool.ts'

/**
 * Where an event is safe. `settled`: committed, or an early click that stays staged. `spooled`:
 * staged or on the local disk, and settled later. `refused`: not stored; the caller must send it
 * again.
 */
export type Receipt = 'settled' | 'spooled' | 'refused'

export interface IngestSettings {
  readonly batchMax: number
  /**
   * More waiting events than this are staged first, because settling them would delay the answer.
   */
  readonly directMax: number
  /** After this time the next batch starts although the current one has not committed. */
  readonly waitMsMax: number
  readonly concurrentMax: number
  /** Queue length. Events beyond it are refused. */
  readonly waitingMax: number
  /** How long settling waits while the load is high; 0: never. */
  readonly deferMsMax: number
}

export const INGEST_DEFAULTS: IngestSettings = {
  batchMax: 10_000,
  directMax: 48,
  waitMsMax: 500,
  concurrentMax: 4,
  waitingMax: 20_000,
  deferMsMax: 8_000,
}

export type IngestState = 'direct' | 'spooling'

export interface IngestObserver {
  settled?(settlement: Settlement): void
  /** Acknowledged but not settled: staged or spooled. */
  kept?(events: readonly TrackedEvent[]): void
  failed?(error: unknown): void
  refused?(count: number, why: 'waiting-full' | 'spool-full' | 'spool-broken' | 'stopped'): void
  changed?(state: IngestState): void
}

export interface IngestDeps {
  readonly settler: Settler
  readonly spool?: Spool
  readonly timers: Timers
  readonly load: Pick<Load, 'isHigh'>
  readonly settings?: Partial<IngestSettings>
  readonly observer?: IngestObserver
}

export interface Ingest {
  /** Resolves when the event is settled, staged, spooled or refused. */
  accept(event: TrackedEvent): Promise<Receipt>
  state(): IngestState
  /** Number of staged events that this node has not settled yet. */
  stagedCount(): number
  /**
   * Resolves when the batches that an earlier process staged are settled and the observer knows
   * them. Decisions made before that could miss impressions of their user.
   */
  opened(): Promise<void>
  /** Resolves when the spool is empty, or the ingest stops draining it. */
  spoolSettled(): Promise<void>
  /** Accepts no more events, and resolves when all accepted ones are safe. */
  stop(): Promise<void>
}

export const createIngest = (deps: IngestDeps): Ingest => new GroupCommit(deps)

interface Waiting {
  readonly event: TrackedEvent
  readonly answer: (receipt: Receipt) => void
}

/** Where a batch goes. */
type Destination = 'settle' | 'stage' | 'spool'

const STAGING_SETTINGS = {
  waitingMax: 400_000,
  deferMax: 300_000,
}

/**
 * | state    | events go to                | until                                      |
 * | -------- | --------------------------- | ------------------------------------------ |
 * | direct   | PostgreSQL, in batches      | PostgreSQL is unavailable: then `spooling` |
 * | spooling | the spool, in arrival order | the spool is settled and empty             |
 *
 * In `direct` the next batch starts when the one before it has committed, so the load decides how
 * large a batch is. Up to `directMax` events are settled before they are acknowledged. Larger
 * batches, and all events that arrive while another batch runs, are acknowledged once they are
 * staged.
 */
class GroupCommit implements Ingest {
  private readonly deps: IngestDeps
  private readonly settings: IngestSettings
  private readonly observer: IngestObserver
  private waiting: Waiting[] = []
  private current: IngestState = 'direct'
  private readonly staging: Staging | undefined
  /** The latest batch that is settled without staging. */
  private direct: Promise<void> = Promise.resolve()
  /** Batches that are being settled or staged now. */
  private readonly running = { settle: 0, stage: 0 }
  private spooling = 0
  private isOverdue = false
  private isWoken = false
  private isStopping = false
  private readonly waits = new Set<() => void>()
  private drained: Promise<void> = Promise.resolve()
  private whenIdle: (() => void)[] = []

  constructor(deps: IngestDeps) {
    this.deps = deps
    this.settings = { ...INGEST_DEFAULTS, ...deps.settings }
    this.observer = deps.observer ?? {}
    this.staging = this.openStaging()
    if (deps.spool && deps.spool.count() > 0) this.startSpooling(deps.spool)
  }

  private openStaging(): Staging | undefined {
    const { settler, timers, load } = this.deps
    if (!settler.staging) return undefined
    const { batchMax, deferMsMax, waitMsMax } = this.settings
    return new Staging({
      timers,
      load,
      store: settler.staging,
      settings: { ...STAGING_SETTINGS, batchMax, deferMsMax, waitMsMax },
      earlier: () => this.direct,
      settled: (settlement) => this.observer.settled?.(settlement),
      failed: (error) => this.observer.failed?.(error),
      drained: () => this.pump(),
    })
  }

  accept(event: TrackedEvent): Promise<Receipt> {
    if (this.isStopping) return this.refuse('stopped')
    if (this.waiting.length >= this.settings.waitingMax) return this.refuse('waiting-full')
    return new Promise((answer) => {
      this.waiting.push({ event, answer })
      this.wake()
    })
  }

  state(): IngestState {
    return this.current
  }

  stagedCount(): number {
    return this.staging?.size() ?? 0
  }

  async opened(): Promise<void> {
    await this.staging?.opened()
  }

  async spoolSettled(): Promise<void> {
    if (this.current === 'spooling') await this.drained
  }

  async stop(): Promise<void> {
    this.isStopping = true
    for (const end of this.waits) end()
    this.pump()
    if (this.isBusy()) await new Promise<void>((resolve) => this.whenIdle.push(resolve))
    await this.drained
    await this.staging?.stop()
  }

  private isBusy(): boolean {
    const { settle, stage } = this.running
    return this.waiting.length > 0 || settle + stage + this.spooling > 0
  }

  private refuse(why: 'stopped' | 'waiting-full'): Promise<Receipt> {
    this.observer.refused?.(1, why)
    return Promise.resolve('refused')
  }

  /** Events of one event-loop tick share a batch. */
  private wake(): void {
    if (this.isWoken) return
    this.isWoken = true
    setImmediate(() => {
      this.isWoken = false
      this.pump()
    })
  }

  private pump(): void {
    for (let to = this.nextDestination(); to; to = this.nextDestination()) {
      this.isOverdue = false
      const batch = this.waiting.splice(0, this.settings.batchMax)
      if (to === 'spool') void this.keep(batch, this.deps.spool!)
      else this.start(batch, to)
    }
    if (!this.isBusy()) for (const resolve of this.whenIdle.splice(0)) resolve()
  }

  private nextDestination(): Destination | undefined {
    if (this.waiting.length === 0) return undefined
    if (this.current === 'spooling') return 'spool'
    if (!this.staging) return this.mayStart('settle') ? 'settle' : undefined
    if (this.staging.isOpening()) return undefined

    const isFew = this.waiting.length <= this.settings.directMax
    if (isFew && this.staging.isEmpty() && this.running.settle + this.running.stage === 0)
      return 'settle'
    return this.mayStart('stage') && !this.staging.isFull() ? 'stage' : undefined
  }

  private mayStart(to: 'settle' | 'stage'): boolean {
    const taken = this.running[to]
    return taken === 0 || (this.isOverdue && taken < this.settings.concurrentMax)
  }

  private start(batch: readonly Waiting[], to: 'settle' | 'stage'): void {
    const done = this.run(batch, to)
    if (to === 'settle') this.direct = done
  }

  private async run(batch: readonly Waiting[], to: 'settle' | 'stage'): Promise<void> {
    this.running[to]++
    const callOff = this.deps.timers.after(this.settings.waitMsMax, () => {
      this.isOverdue = true
      this.pump()
    })
    await this.untilSafe(batch, to)
    callOff()
    this.running[to]--
    this.pump()
  }

  private async untilSafe(batch: readonly Waiting[], to: 'settle' | 'stage'): Promise<void> {
    const events = batch.map(({ event }) => event)
    for (let failures = 0; ;) {
      try {
        if (to === 'stage') {
          await this.staging!.stage(events)
          this.observer.kept?.(events)
        } else await this.settle(events, failures === 0)
        for (const { answer } of batch) answer(to === 'stage' ? 'spooled' : 'settled')
        return
      } catch (error) {
        failures++
        this.observer.failed?.(error)
        const { spool } = this.deps
        if (spool && failureOfBatch(error) === 'unavailable') {
          this.startSpooling(spool)
          return this.keep(batch, spool)
        }
        await this.wait(waitAfter(failures))
      }
    }
  }

  private async settle(events: readonly TrackedEvent[], countsRepeats: boolean): Promise<void> {
    this.publish(await this.deps.settler.settle(events, { countsRepeats }))
  }

  private publish(settlement: Settlement): void {
    if (settlement.early > 0) this.staging?.sweepForEarlyClicks()
    this.observer.settled?.(settlement)
  }

  private startSpooling(spool: Spool): void {
    if (this.current === 'spooling') return
    this.change('spooling')
    this.drained = this.drain(spool)
  }

  private async keep(batch: readonly Waiting[], spool: Spool): Promise<void> {
    this.spooling++
    const events = batch.map(({ event }) => event)
    const verdict = await spool.append(events).catch((error: unknown) => {
      this.observer.failed?.(error)
      return 'broken' as const
    })
    this.spooling--
    if (verdict === 'kept') {
      this.observer.kept?.(events)
    } else {
      this.observer.refused?.(batch.length, verdict === 'full' ? 'spool-full' : 'spool-broken')
    }
    for (const { answer } of batch) answer(verdict === 'kept' ? 'spooled' : 'refused')
    this.pump()
  }

  /** Settles spooled events, oldest first. */
  private async drain(spool: Spool): Promise<void> {
    for (let failures = 0; !this.isStopping;) {
      try {
        const { events, through } = await spool.read(this.settings.batchMax)
        if (events.length > 0) {
          const settlement = await this.deps.settler.settle(events, { countsRepeats: false })
          await spool.remove(through)
          this.publish(settlement)
        } else if (this.spooling === 0) {
          this.change('direct')
          this.pump()
          return
        }
        failures = 0
      } catch (error) {
        failures++
        this.observer.failed?.(error)
        await this.wait(waitAfter(failures))
      }
    }
  }

  private change(state: IngestState): void {
    this.current = state
    this.observer.changed?.(state)
  }

  /** Ends early when the ingest stops. */
  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.waits.delete(end)
        callOff()
        resolve()
      }
      const callOff = this.deps.timers.after(ms, end)
      this.waits.add(end)
    })
  }
}
