import type { Load } from '../../../platform/background/load.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import type { TrackedEvent } from './event.ts'
import { failureOfBatch, waitAfter } from '../settlement/faults.ts'
import { Inbox } from '../settlement/staging.ts'
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
  readonly lanesMax: number
  /** Queue length. Events beyond it are refused. */
  readonly waitingMax: number
  /** How long settling waits while the load is high; 0: never. */
  readonly deferMsMax: number
}

export const INGEST_DEFAULTS: IngestSettings = {
  batchMax: 10_000,
  directMax: 48,
  waitMsMax: 500,
  lanesMax: 4,
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
  noted(): number
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
type Way = 'settle' | 'note' | 'spool'

const INBOX_SETTINGS = {
  waitingMax: 400_000,
  deferMax: 300_000,
}

/**
 * | state    | events go to              | until                                       |
 * | -------- | ------------------------- | ------------------------------------------- |
 * | direct   | the database, in batches  | the database is away: then to the spool     |
 * | spooling | the spool, behind others  | the spool has been settled and is empty     |
 *
 * In `direct` a batch goes as soon as the one before it has committed, so that the load itself
 * decides how large they are. A few events are settled before they are acknowledged; a crowd, and
 * what comes while another is being settled, is acknowledged as soon as it is noted.
 */
class GroupCommit implements Ingest {
  private readonly deps: IngestDeps
  private readonly settings: IngestSettings
  private readonly observer: IngestObserver
  private waiting: Waiting[] = []
  private current: IngestState = 'direct'
  private readonly inbox: Inbox | undefined
  /** The latest batch that is settled without staging. */
  private direct: Promise<void> = Promise.resolve()
  private readonly lanes = { settle: 0, note: 0 }
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
    this.inbox = this.openInbox()
    if (deps.spool && deps.spool.count() > 0) this.startSpooling(deps.spool)
  }

  private openInbox(): Inbox | undefined {
    const { settler, timers, load } = this.deps
    if (!settler.inbox) return undefined
    const { batchMax, deferMsMax, waitMsMax } = this.settings
    return new Inbox({
      timers,
      load,
      store: settler.inbox,
      settings: { ...INBOX_SETTINGS, batchMax, deferMsMax, waitMsMax },
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

  noted(): number {
    return this.inbox?.size() ?? 0
  }

  async opened(): Promise<void> {
    await this.inbox?.opened()
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
    await this.inbox?.stop()
  }

  private isBusy(): boolean {
    const { settle, note } = this.lanes
    return this.waiting.length > 0 || settle + note + this.spooling > 0
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
    for (let way = this.nextWay(); way; way = this.nextWay()) {
      this.isOverdue = false
      const batch = this.waiting.splice(0, this.settings.batchMax)
      if (way === 'spool') void this.keep(batch, this.deps.spool!)
      else this.startLane(batch, way)
    }
    if (!this.isBusy()) for (const resolve of this.whenIdle.splice(0)) resolve()
  }

  private nextWay(): Way | undefined {
    if (this.waiting.length === 0) return undefined
    if (this.current === 'spooling') return 'spool'
    if (!this.inbox) return this.hasLane('settle') ? 'settle' : undefined
    if (this.inbox.isOpening()) return undefined

    const isFew = this.waiting.length <= this.settings.directMax
    if (isFew && this.inbox.isEmpty() && this.lanes.settle + this.lanes.note === 0) return 'settle'
    return this.hasLane('note') && !this.inbox.isFull() ? 'note' : undefined
  }

  private hasLane(way: 'settle' | 'note'): boolean {
    const taken = this.lanes[way]
    return taken === 0 || (this.isOverdue && taken < this.settings.lanesMax)
  }

  private startLane(batch: readonly Waiting[], way: 'settle' | 'note'): void {
    const lane = this.runLane(batch, way)
    if (way === 'settle') this.direct = lane
  }

  private async runLane(batch: readonly Waiting[], way: 'settle' | 'note'): Promise<void> {
    this.lanes[way]++
    const callOff = this.deps.timers.after(this.settings.waitMsMax, () => {
      this.isOverdue = true
      this.pump()
    })
    await this.untilSafe(batch, way)
    callOff()
    this.lanes[way]--
    this.pump()
  }

  private async untilSafe(batch: readonly Waiting[], way: 'settle' | 'note'): Promise<void> {
    const events = batch.map(({ event }) => event)
    for (let failures = 0; ;) {
      try {
        if (way === 'note') {
          await this.inbox!.note(events)
          this.observer.kept?.(events)
        } else await this.settle(events, failures === 0)
        for (const { answer } of batch) answer(way === 'note' ? 'spooled' : 'settled')
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
    this.tell(await this.deps.settler.settle(events, { countsRepeats }))
  }

  private tell(settlement: Settlement): void {
    if (settlement.early > 0) this.inbox?.lookSoon()
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
          this.tell(settlement)
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
