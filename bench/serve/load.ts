import type { Order } from './open-loop.ts'
import { generate, type Running, startGenerator } from './processes.ts'

/** The same requests, as each of the two generators reads them. */
export interface Load {
  readonly wrk: string
  readonly raw: string
}

export interface Spent {
  readonly perSecond: number
  readonly errors: number
  /** Processor time of the server process for each answer. */
  readonly cpuMicros: number
  /** Processor time of PostgreSQL for each answer; 0 for the bare server, which has none. */
  readonly postgresCpuMicros: number
}

export interface OpenLoop {
  readonly offered: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** How far its own ticks were apart: what it was late itself, it counts as the server's. */
  readonly tickP99Ms: number
  readonly tickMaxMs: number
  /** From its start, also of the first seconds, which count in no other figure. */
  readonly p99MsBySecond: readonly number[]
  readonly statuses: Record<string, number>
}

export const CAPACITY_SECONDS = 5
const CONNECTIONS = 32

/** As many requests as the server answers, the next one on a connection as soon as the last is answered. */
export async function atMost(
  server: Measured,
  { wrk }: Load,
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

/** A server, and the PostgreSQL it works on if it has one. */
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

/** Offers so many requests a second, whether or not they are answered. */
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
