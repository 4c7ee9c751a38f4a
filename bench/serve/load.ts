import type { Order } from './open-loop.ts'
import { generate, type Running, startGenerator } from './processes.ts'

/** The same requests in the formats of both generators. */
export interface Load {
  readonly wrk: string
  readonly raw: string
}

export interface Spent {
  readonly perSecond: number
  readonly errors: number
  /** Processor time of the server process per answer. */
  readonly cpuMicros: number
  /** Processor time of PostgreSQL per answer. 0 for the bare server. */
  readonly postgresCpuMicros: number
}

export interface OpenLoop {
  readonly offered: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Distance of the generator's ticks. Its own delay counts as the server's latency. */
  readonly tickP99Ms: number
  readonly tickMaxMs: number
  /** By second from its start, including the first seconds, which count in no other figure. */
  readonly p99MsBySecond: readonly number[]
  readonly statuses: Record<string, number>
}

export const CAPACITY_SECONDS = 5
const CONNECTIONS = 32

/** As many requests as the server answers: each connection sends the next one after an answer. */
export async function atMost(
  server: Measured,
  { wrk }: Pick<Load, 'wrk'>,
  seconds = CAPACITY_SECONDS,
): Promise<Spent> {
  const before = cpuOf(server)
  const window = await generate<Pick<Spent, 'perSecond' | 'errors'>>('wrk', [
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${seconds}s`,
    '-s',
    wrk,
    `http://127.0.0.1:${server.port}`,
  ])
  const perAnswer = (spent: number) => (spent * 1e6) / (window.perSecond * seconds)
  const after = cpuOf(server)
  return {
    ...window,
    cpuMicros: perAnswer(after.server - before.server),
    postgresCpuMicros: perAnswer(after.postgres - before.postgres),
  }
}

/** A server, and its PostgreSQL if it has one. */
type Measured = Running & { postgresCpuSeconds?(): number }

const cpuOf = (server: Measured) => ({
  server: server.cpuSeconds(),
  postgres: server.postgresCpuSeconds?.() ?? 0,
})

export interface Offer {
  readonly perSecond: number
  readonly seconds: number
  readonly connections: number
}

/** Sends a number of requests per second, whether or not they are answered. */
export interface Offers {
  to(server: Running, offer: Offer): Promise<OpenLoop>
  stop(): void
}

export function startOffers({ raw }: Load): Offers {
  const generator = startGenerator<Order, OpenLoop>('open-loop.ts', [raw])
  return {
    to: ({ port }, offer) =>
      generator.take({ ...offer, perSecond: Math.round(offer.perSecond), port }),
    stop: () => generator.stop(),
  }
}
