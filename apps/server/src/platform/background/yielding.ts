import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemUptime, type Uptime } from '../clock.ts'

/** Of what requests take, while there is no moment without any. */
const SHARE = 0.2
/** A turn that found nothing to do takes less, one with a request takes more. */
const EMPTY_TURN_MS = 0.025

export interface ShareOptions {
  /** How long requests must not have ceased before the work takes a share. */
  readonly patienceMs: number
  readonly uptime: Uptime
}

/**
 * For work that is done in pieces between requests. A piece waits until a turn has brought no request, so
 * that whoever comes then waits for one piece at most. Where requests never cease, pieces take a share of their
 * time: so work gets on under any load. Work that can wait has patience before that: after a stall those who
 * have waited are then answered first.
 */
export class ShareOfTime {
  private readonly patienceMs: number
  private readonly uptime: Uptime
  private leftMs = 0
  /** Since a turn last had none. */
  private withRequestsMs = 0

  constructor({ patienceMs = 0, uptime = systemUptime }: Partial<ShareOptions> = {}) {
    this.patienceMs = patienceMs
    this.uptime = uptime
  }

  async run<Result>(piece: () => Result): Promise<Result> {
    while (this.leftMs <= 0) {
      const turnMs = await this.turn()
      if (turnMs < EMPTY_TURN_MS) {
        this.withRequestsMs = 0
        break
      }
      this.withRequestsMs += turnMs
      if (this.withRequestsMs > this.patienceMs) this.leftMs += turnMs * SHARE
    }
    const startMs = this.uptime.nowMs()
    const result = piece()
    this.leftMs = Math.max(0, this.leftMs) - (this.uptime.nowMs() - startMs)
    return result
  }

  /** How long the next one took. */
  private async turn(): Promise<number> {
    const startMs = this.uptime.nowMs()
    await nextTurn()
    return this.uptime.nowMs() - startMs
  }
}
