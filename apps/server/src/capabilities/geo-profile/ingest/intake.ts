import type { ObservationNote } from '@placard/client/observations'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { addObservations } from './store-queue.ts'
import { INGEST_SWITCH } from '../guard/switches.ts'

/** The fate of an observation. A `refused` one is lost, which is allowed. */
export type IntakeReceipt = 'kept' | 'refused'

export interface IntakeObserver {
  kept(observations: number): void
  refused(observations: number, why: 'full' | 'off' | 'failed'): void
}

export interface IntakeDeps {
  readonly db: Database
  readonly clock: Clock
  readonly observer: IntakeObserver
  readonly waitingMax?: number
}

interface Waiting {
  readonly note: ObservationNote
  readonly answer: (receipt: IntakeReceipt) => void
}

const WAITING_MAX = 10_000
const BATCH_MAX = 2_000

/** Writes observations to the queue. Those that arrive meanwhile form the next batch. */
export class Intake {
  private readonly deps: IntakeDeps
  private waiting: Waiting[] = []
  private isWriting = false

  constructor(deps: IntakeDeps) {
    this.deps = deps
  }

  accept(note: ObservationNote): Promise<IntakeReceipt> {
    if (this.waiting.length >= (this.deps.waitingMax ?? WAITING_MAX)) {
      this.deps.observer.refused(1, 'full')
      return Promise.resolve('refused')
    }
    return new Promise((answer) => {
      this.waiting.push({ note, answer })
      if (this.isWriting) return
      this.isWriting = true
      setImmediate(() => void this.writeAll())
    })
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH_MAX)
      const receipt = await this.write(batch.map(({ note }) => note))
      for (const { answer } of batch) answer(receipt)
    }
    this.isWriting = false
  }

  private async write(notes: readonly ObservationNote[]): Promise<IntakeReceipt> {
    const { db, clock, observer } = this.deps
    try {
      const isOn = await addObservations(db, notes, { at: clock.now(), switchName: INGEST_SWITCH })
      if (isOn) observer.kept(notes.length)
      else observer.refused(notes.length, 'off')
      return isOn ? 'kept' : 'refused'
    } catch {
      observer.refused(notes.length, 'failed')
      return 'refused'
    }
  }
}
