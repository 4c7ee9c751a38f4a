import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'
import { httpProblems } from './problems.ts'

export interface OverloadLimits {
  /** Requests that wait for something at the same time. */
  readonly inFlightMax: number
  /** How long a request may have waited for the event loop. */
  readonly behindMsMax: number
  /** So many are let in whatever they waited: after a pause of the whole process there is no queue. */
  readonly letInPerTick: number
}

const LIMITS: OverloadLimits = { inFlightMax: 1_000, behindMsMax: 100, letInPerTick: 64 }
const TICK_MS = 10

/**
 * Whether this process keeps up. A timer ticks; while the loop works off a backlog it cannot, so the
 * time since the last tick is what the request at hand has waited at least. It recovers by itself:
 * the next tick says so.
 */
export class OverloadGuard {
  private lastTickMs = performance.now()
  private inFlight = 0
  private enteredSinceTick = 0
  private readonly limits: OverloadLimits
  private readonly timer: NodeJS.Timeout

  constructor(limits: OverloadLimits) {
    this.limits = limits
    this.timer = setInterval(() => this.tick(), TICK_MS)
    this.timer.unref()
  }

  private tick(): void {
    this.lastTickMs = performance.now()
    this.enteredSinceTick = 0
  }

  stop(): void {
    clearInterval(this.timer)
  }

  behindMs(): number {
    return Math.max(0, performance.now() - this.lastTickMs - TICK_MS)
  }

  /** Lets a request in, unless too many wait already or it has waited too long itself. */
  enter(): boolean {
    const { inFlightMax, behindMsMax, letInPerTick } = this.limits
    if (this.inFlight >= inFlightMax) return false
    if (this.enteredSinceTick >= letInPerTick && this.behindMs() > behindMsMax) return false
    this.enteredSinceTick++
    this.inFlight++
    return true
  }

  leave(): void {
    this.inFlight--
  }
}

const { code, title, status } = httpProblems.overloaded
const REFUSAL = JSON.stringify({ type: `/problems/${code}`, code, title, status })

/** Routes that shed load answer 503 at once while the process is behind. */
export function shedLoad(http: FastifyInstance, registry: Registry, limits = LIMITS): void {
  const guard = new OverloadGuard(limits)
  http.addHook('onClose', async () => guard.stop())
  const shed = new Counter({
    name: 'placard_shed_requests_total',
    help: 'Requests refused at once because the process was behind',
    registers: [registry],
  })
  const behind: Gauge = new Gauge({
    name: 'placard_loop_behind_seconds',
    help: 'How long the event loop has not come round',
    collect: () => behind.set(guard.behindMs() / 1_000),
    registers: [registry],
  })
  http.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.shedsLoad !== true) return done()
    if (guard.enter()) {
      const leave = once(() => guard.leave())
      // A reader who goes away ends no response.
      reply.raw.once('finish', leave)
      reply.raw.once('close', leave)
      return done()
    }
    shed.inc()
    void reply
      .code(status)
      .headers({ 'retry-after': '1', 'content-type': 'application/problem+json' })
      .send(REFUSAL)
  })
}

function once(call: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) call()
    isDone = true
  }
}
