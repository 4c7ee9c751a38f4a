import type { Pool } from 'pg'
import type { Uptime } from '../../../platform/clock.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import type { NodeLeases } from './node-leases.ts'
import { openLedgerAccounts, payerName } from '../ledger/store-ledger-accounts.ts'
import { returnExpiredLeases, sumStrandedMicros } from './store-lease-returns.ts'
import { addHolder, type LeaseRequest, refillLeases, removeHolder } from './store-leases.ts'

export interface LeaseRenewalDeps {
  /** A pool of its own with a short timeout, because a late grant is worthless. */
  readonly pool: Pool
  readonly nodeLeases: NodeLeases
  /** Prefix of reservation ids. */
  readonly node: string
  readonly timers: Timers
  readonly uptime: Uptime
  /** How long a node's leases outlast its last renewal. */
  readonly leaseMs: number
  onError?(error: unknown): void
}

/** Counters since the process started, and the currently stranded amount. */
export interface LeaseCounts {
  refills: number
  failures: number
  /** How often the node renewed too late and lost its leases. */
  losses: number
  /** Returned from nodes that stopped. */
  returnedMicros: bigint
  strandedMicros: bigint
}

export interface LeaseRenewal {
  readonly counts: Readonly<LeaseCounts>
  /** Runs one round now: renew, request, apply. Rounds never overlap. */
  refill(): Promise<void>
  /** Returns what is free. Held money stays leased until it expires. */
  stop(): Promise<void>
}

const TICK_MS = 50
const REQUESTS_MAX = 1_000
const ROUNDS_MAX = 200
const SWEEP_MS = 2_000
const SWEEPS_MAX = 100

/**
 * Renews this node's leases. A node cut off from the database spends what it has leased and no
 * more.
 */
export function startLeaseRenewal(deps: LeaseRenewalDeps): LeaseRenewal {
  const session = new LeaseSession(deps)
  let cancel: (() => void) | undefined
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  const next = (): Promise<void> => (running = running.then(() => session.round()))
  const tick = () => void next().then(again)
  const again = () => {
    if (!isStopped) cancel = deps.timers.after(TICK_MS, tick)
  }
  again()

  return {
    counts: session.counts,
    refill: next,
    async stop() {
      isStopped = true
      cancel?.()
      await running
      await session.close()
    },
  }
}

/** Talks to the database, one request at a time. */
class LeaseSession {
  readonly counts: LeaseCounts = {
    refills: 0,
    failures: 0,
    losses: 0,
    returnedMicros: 0n,
    strandedMicros: 0n,
  }
  private readonly deps: LeaseRenewalDeps
  private fence: string | undefined
  private renewAtMs = -Infinity
  private sweepAtMs = -Infinity

  constructor(deps: LeaseRenewalDeps) {
    this.deps = deps
  }

  async round(): Promise<void> {
    const { nodeLeases, onError } = this.deps
    try {
      await this.sweep()
      for (let rounds = 0; rounds < ROUNDS_MAX; rounds++) if (!(await this.request())) break
    } catch (error) {
      nodeLeases.abandonRequests()
      this.counts.failures++
      onError?.(error)
    }
  }

  async close(): Promise<void> {
    const { pool, nodeLeases, node, onError } = this.deps
    try {
      for (let rounds = 0; rounds < ROUNDS_MAX && this.fence !== undefined; rounds++) {
        const requests = nodeLeases.collectReturns(REQUESTS_MAX)
        if (requests.length > 0) await this.move(requests)
        if (requests.length < REQUESTS_MAX) break
      }
      if (this.fence !== undefined) await removeHolder(pool, { node, fence: this.fence })
    } catch (error) {
      onError?.(error)
    }
  }

  /** True if there is more to request. */
  private async request(): Promise<boolean> {
    const { nodeLeases, uptime } = this.deps
    if (this.fence === undefined && !(await this.enter())) return false
    const requests = nodeLeases.collectRequests(REQUESTS_MAX)
    if (requests.length === 0 && uptime.nowMs() < this.renewAtMs) return false
    const ungranted = await this.move(requests)
    if (ungranted.length > 0) await openLedgerAccounts(this.deps.pool, ungranted)
    return requests.length === REQUESTS_MAX || ungranted.length > 0
  }

  private async enter(): Promise<boolean> {
    this.fence = await addHolder(this.deps.pool, this.deps)
    if (this.fence === undefined) this.sweepAtMs = -Infinity
    return this.fence !== undefined
  }

  /** Returns requests whose ledger accounts are not open yet. */
  private async move(requests: readonly LeaseRequest[]): Promise<readonly LeaseRequest[]> {
    const { pool, nodeLeases, node, leaseMs, uptime } = this.deps
    // Taken before the request: the database counts from a later time, so this node gives up first.
    const sentAtMs = uptime.nowMs()
    const grants = await refillLeases(pool, { node, fence: this.fence!, leaseMs }, requests)
    if (grants === undefined) {
      this.fence = undefined
      this.counts.losses++
      nodeLeases.loseAll()
      return []
    }
    this.counts.refills++
    this.renewAtMs = sentAtMs + leaseMs / 6
    nodeLeases.applyGrants(grants, sentAtMs + leaseMs * 0.9)
    const granted = new Set(grants.map(({ campaignKey, day }) => payerName(campaignKey, day)))
    return requests.filter(({ campaignKey, day }) => !granted.has(payerName(campaignKey, day)))
  }

  /** Returns leases of nodes that stopped. Any node may do it. */
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
