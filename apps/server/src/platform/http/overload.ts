import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'
import { httpProblems } from './problems.ts'

export interface OverloadLimits {
  /** Requests waiting at the same time. */
  readonly waitingMax: number
  /** Longest time a request may have waited for the event loop. */
  readonly behindMsMax: number
  /** Requests let in per tick in any case: after a pause of the whole process there is no queue. */
  readonly letInPerTick: number
}

const LIMITS: OverloadLimits = { waitingMax: 1_000, behindMsMax: 100, letInPerTick: 64 }
const TICK_MS = 10

/**
 * Tells whether this process keeps up. A timer ticks, but not while the event loop works through a
 * backlog: the time since the last tick is the least that the current request has waited. The next
 * tick ends the overload.
 */
export class OverloadGuard {
  private lastTickMs = performance.now()
  private waiting = 0
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

  /** False if too many requests wait, or this one has waited too long. */
  letsIn(): boolean {
    const { waitingMax, behindMsMax, letInPerTick } = this.limits
    if (this.waiting >= waitingMax) return false
    this.enteredSinceTick++
    return this.enteredSinceTick <= letInPerTick || this.behindMs() <= behindMsMax
  }

  whileWaiting<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.waiting++
    const end = () => void this.waiting--
    answer.then(end, end)
    return answer
  }
}

const { code, title, status } = httpProblems.overloaded
const REFUSAL_HEADERS = { 'retry-after': '1', 'content-type': 'application/problem+json' }
const REFUSAL = JSON.stringify({ type: `/problems/${code}`, code, title, status })

/** For the fast lane: whether to let a request in, and what to answer if not. */
export interface Shedding {
  letsIn(): boolean
  whileWaiting<Answer>(answer: Promise<Answer>): Promise<Answer>
  readonly refusal: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
}

/** Routes that shed load answer 503 at once while the process is behind. */
export function shedLoad(http: FastifyInstance, registry: Registry, limits = LIMITS): Shedding {
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
  const letsIn = () => {
    if (guard.letsIn()) return true
    shed.inc()
    return false
  }
  const refuse = (_request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (letsIn()) return done()
    void reply.code(status).headers(REFUSAL_HEADERS).send(REFUSAL)
  }
  http.addHook('onRoute', (route) => {
    if (!route.config?.shedsLoad) return
    route.onRequest = [refuse, ...[route.onRequest ?? []].flat()]
    route.handler = counted(guard, route.handler)
  })
  return {
    letsIn,
    whileWaiting: (answer) => guard.whileWaiting(answer),
    refusal: { status, headers: REFUSAL_HEADERS, body: REFUSAL },
  }
}

/** Counts only handlers that return a promise: an immediate answer never queues. */
function counted(guard: OverloadGuard, handler: RouteOptions['handler']): RouteOptions['handler'] {
  return function handle(request, reply) {
    const answer: unknown = handler.call(this, request, reply)
    return answer instanceof Promise ? guard.whileWaiting(answer) : answer
  }
}
