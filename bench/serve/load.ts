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
  /** Of the server, for each answer. */
  readonly cpuMicros: number
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

const SECONDS = 5
const CONNECTIONS = 32

/** As many requests as the server answers, the next one on a connection as soon as the last is answered. */
export async function atMost(server: Running, { wrk }: Load): Promise<Spent> {
  const before = server.cpuSeconds()
  const window = await generate<Omit<Spent, 'cpuMicros'>>('wrk', [
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${SECONDS}s`,
    '-s',
    wrk,
    `http://127.0.0.1:${server.port}`,
  ])
  const requests = window.perSecond * SECONDS
  return { ...window, cpuMicros: ((server.cpuSeconds() - before) * 1e6) / requests }
}

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
