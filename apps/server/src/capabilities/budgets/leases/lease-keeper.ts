import type { Pool } from 'pg'
import type { Uptime } from '../../../platform/clock.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import type { Purse } from './node-leases.ts'
import { openAccounts, payerName } from '../ledger/store-accounts.ts'
import { returnExpiredLeases, sumStrandedMicros } from './store-lease-returns.ts'
import { addHolder, type LeaseAsk, refillLeases, removeHolder } from './store-leases.ts'

export interface LeaseKeeperDeps {
  /** Of its own, with a short timeout: an answer that comes late is worth nothing. */
  readonly pool: Pool
  readonly purse: Purse
  /** Reservation ids begin with it. */
  readonly node: string
  readonly timers: Timers
  readonly uptime: Uptime
  /** How long the leases of a node outlive its last sign of life. */
  readonly leaseMs: number
  onError?(error: unknown): void
}

/** How often things happened since the start, and what is lost at the moment. */
export interface LeaseCounts {
  refills: number
  failures: number
  /** How often the node came back too late, and its leases were no longer its own. */
  losses: number
  /** Returned from nodes that no longer run. */
  returnedMicros: bigint
  strandedMicros: bigint
}

export interface LeaseKeeper {
  readonly counts: Readonly<LeaseCounts>
  /** One round now: renews, asks, takes. Rounds never overlap. */
  refill(): Promise<void>
  /** Gives back what is free. What is held stays leased until it expires. */
  stop(): Promise<void>
}

const TICK_MS = 50
const ASKS_MAX = 1_000
const ROUNDS_MAX = 200
const SWEEP_MS = 2_000
const SWEEPS_MAX = 100

/** Keeps this node's leases: a node cut off from the database spends what it has and no more. */
export function keepLeases(deps: LeaseKeeperDeps): LeaseKeeper {
  const desk = new LeaseDesk(deps)
  let cancel: (() => void) | undefined
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  const next = (): Promise<void> => (running = running.then(() => desk.round()))
  const tick = () => void next().then(again)
  const again = () => {
    if (!isStopped) cancel = deps.timers.after(TICK_MS, tick)
  }
  again()

  return {
    counts: desk.counts,
    refill: next,
    async stop() {
      isStopped = true
      cancel?.()
      await running
      await desk.close()
    },
  }
}

/** Asks the database, one question at a time. */
class LeaseDesk {
  readonly counts: LeaseCounts = {
    refills: 0,
    failures: 0,
    losses: 0,
    returnedMicros: 0n,
    strandedMicros: 0n,
  }
  private readonly deps: LeaseKeeperDeps
  private fence: string | undefined
  private renewAtMs = -Infinity
  private sweepAtMs = -Infinity

  constructor(deps: LeaseKeeperDeps) {
    this.deps = deps
  }

  async round(): Promise<void> {
    const { purse, onError } = this.deps
    try {
      await this.sweep()
      for (let rounds = 0; rounds < ROUNDS_MAX; rounds++) if (!(await this.ask())) break
    } catch (error) {
      purse.giveUp()
      this.counts.failures++
      onError?.(error)
    }
  }

  async close(): Promise<void> {
    const { pool, purse, node, onError } = this.deps
    try {
      for (let rounds = 0; rounds < ROUNDS_MAX && this.fence !== undefined; rounds++) {
        const asks = purse.collectReturns(ASKS_MAX)
        if (asks.length > 0) await this.move(asks)
        if (asks.length < ASKS_MAX) break
      }
      if (this.fence !== undefined) await removeHolder(pool, { node, fence: this.fence })
    } catch (error) {
      onError?.(error)
    }
  }

  /** True when there is more to ask. */
  private async ask(): Promise<boolean> {
    const { purse, uptime } = this.deps
    if (this.fence === undefined && !(await this.enter())) return false
    const asks = purse.collectAsks(ASKS_MAX)
    if (asks.length === 0 && uptime.nowMs() < this.renewAtMs) return false
    const unanswered = await this.move(asks)
    if (unanswered.length > 0) await openAccounts(this.deps.pool, unanswered)
    return asks.length === ASKS_MAX || unanswered.length > 0
  }

  private async enter(): Promise<boolean> {
    this.fence = await addHolder(this.deps.pool, this.deps)
    if (this.fence === undefined) this.sweepAtMs = -Infinity
    return this.fence !== undefined
  }

  /** Returns those whose accounts are not open yet. */
  private async move(asks: readonly LeaseAsk[]): Promise<readonly LeaseAsk[]> {
    const { pool, purse, node, leaseMs, uptime } = this.deps
    // Before the question: the database counts from later on, so that we give up first.
    const sentAtMs = uptime.nowMs()
    const answers = await refillLeases(pool, { node, fence: this.fence!, leaseMs }, asks)
    if (answers === undefined) {
      this.fence = undefined
      this.counts.losses++
      purse.lose()
      return []
    }
    this.counts.refills++
    this.renewAtMs = sentAtMs + leaseMs / 6
    purse.take(answers, sentAtMs + leaseMs * 0.9)
    const answered = new Set(answers.map(({ campaignKey, day }) => payerName(campaignKey, day)))
    return asks.filter(({ campaignKey, day }) => !answered.has(payerName(campaignKey, day)))
  }

  /** Leases of nodes that no longer run, whoever finds them. */
  private async sweep(): Promise<void> {
    const { pool, uptime } = this.deps
    if (uptime.nowMs() < this.sweepAtMs) return
    for (let sweeps = 0; sweeps < SWEEPS_MAX; sweeps++) {
      const { leases, micros } = await returnExpiredLeases(pool)
      this.counts.returnedMicros += micros
      if (leases === 0) break
    }
    this.counts.strandedMicros = await sumStrandedMicros(pool)
    this.sweepAtMs = uptime.nowMs() + SWEEP_MS
  }
}
