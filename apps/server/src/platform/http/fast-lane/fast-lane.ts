import type { FastifyBaseLogger, FastifyContextConfig, FastifyInstance } from 'fastify'
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Static, TObject } from 'typebox'
import type { Clock } from '../../clock.ts'
import type { RememberedCallers } from '../access.ts'
import type { WaysOf } from '../addresses.ts'
import type { Series } from '../../telemetry/light-histogram.ts'
import { LaneConnection, type LeanExchange } from './connection.ts'
import type { Shedding } from '../overload.ts'
import type { Principal } from '../principal.ts'
import type { Http } from '../server.ts'
import type { CompileBody } from '../validation.ts'

/**
 * For a few routes Fastify's steps would cost more than the work itself. Such a route is written once,
 * against this small interface, and is reachable in two ways: through Fastify, which handles
 * everything, and through the fast lane, which takes plain requests straight from the socket: public
 * routes without a credential, and others with a remembered one. Everything else goes through Fastify.
 * Both give the same answers.
 */
export interface LeanRequest<Body = unknown> {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly ip: string
  readonly protocol: string
  readonly host: string
  readonly body: Body
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly principal: Principal | undefined
}

/** Text is sent as it is under the route's content type; undefined means no body. */
export type Send = (status: number, body?: object | string) => void

export interface LeanRoute<Body extends TObject = TObject> {
  readonly method: 'GET' | 'POST'
  /** Relative to the prefix of its scope; the last part may be a parameter. */
  readonly url: string
  readonly config: FastifyContextConfig
  readonly schema: { readonly body?: Body } & Readonly<Record<string, unknown>>
  /** The route reads the body itself, as bytes up to this length; its scope accepts no other type. */
  readonly bytesMax?: number
  /** JSON of any content type: Prebid and others send `text/plain`. */
  readonly takesAnyType?: boolean
  /** Headers of every answer. */
  readonly headers: Readonly<Record<string, string>>
  /** Content type of a text body. */
  readonly contentType?: string
  answer(asked: LeanRequest<Static<Body>>, send: Send): void | Promise<void>
}

/** Adds a route to both paths. */
export function addLeanRoute<Body extends TObject>(http: Http, route: LeanRoute<Body>): void {
  const { method, url, config, schema, headers, contentType, answer } = route
  http.route({
    method,
    url,
    config,
    schema,
    handler: (request, reply) => {
      void reply.headers(headers)
      return answer(request as unknown as LeanRequest<Static<Body>>, (status, body) => {
        const isText = typeof body === 'string'
        if (isText) void reply.type(contentType!)
        void reply.code(status).send(isText ? Buffer.from(body, 'latin1') : body)
      })
    },
  })
  http.fastLane?.add(http.prefix + url, route)
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly fastLane: FastLane | undefined
  }
}

export interface LaneDeps {
  readonly log: FastifyBaseLogger
  readonly clock: Clock
  readonly shedding: Shedding
  readonly compileBody: CompileBody
  readonly waysOf: WaysOf
  readonly idOf: (request: { readonly headers: IncomingHttpHeaders }) => string
  readonly callers: RememberedCallers
}

export type SeriesOf = (method: string, route: string, status: number) => Series

/** A route as the fast lane keeps it. */
export interface Lane {
  readonly url: string
  readonly route: LeanRoute
  readonly validate: ReturnType<CompileBody> | undefined
  /** The permission a caller needs; undefined on a public route. */
  readonly permission: string | undefined
  /** Name of the last part of the address, if it is a parameter. */
  readonly parameter: string | undefined
  /** Header lines of every answer. */
  readonly headerLines: string
  /** Where durations are recorded. */
  readonly seriesByStatus: Map<number, Series>
}

/** An answer on its way to the socket. */
interface Leaving {
  readonly socket: Socket
  readonly exchange: LeanExchange
  readonly status: number
  readonly text: string
  readonly encoding: 'utf8' | 'latin1'
}

/** 16 answers take about 1 ms: a request waits that long for those before it. */
const ANSWERED_TOGETHER_MAX = 16

/** What a parameter may look like. */
const PARAMETER = /^[\w-]{1,288}$/

/** Routes of the fast lane, and the connections on it. */
export class FastLane {
  readonly deps: LaneDeps
  private seriesOf: SeriesOf | undefined
  private readonly lanes = { GET: new Map<string, Lane>(), POST: new Map<string, Lane>() }
  private readonly connections = new Set<LaneConnection>()
  private waiting: { connection: LaneConnection; exchange: LeanExchange; body: object }[] = []
  private isTurnEnding = false
  private leaving: Leaving[] = []
  private isOpen = true
  private date = ''
  private dateUntilMs = 0

  constructor(deps: LaneDeps) {
    this.deps = deps
  }

  add(url: string, route: LeanRoute): void {
    const { schema, config, bytesMax } = route
    const { body } = schema
    const [, start, parameter] = /^(.*\/):(\w+)$/.exec(url) ?? []
    const headers = Object.entries({ ...route.headers, vary: 'Origin' })
    this.lanes[route.method].set(start ?? url, {
      url,
      route,
      validate: body && bytesMax === undefined ? this.deps.compileBody(body, url) : undefined,
      permission: config.access === 'public' ? undefined : config.access,
      parameter,
      headerLines: headers.map(([name, value]) => `${name}: ${value}\r\n`).join(''),
      seriesByStatus: new Map(),
    })
  }

  /** Computed once a second. */
  dateLine(): string {
    const nowMs = performance.now()
    if (nowMs >= this.dateUntilMs) {
      const now = this.deps.clock.now()
      this.date = `date: ${now.toUTCString()}\r\n`
      this.dateUntilMs = nowMs + 1_000 - now.getMilliseconds()
    }
    return this.date
  }

  laneOf(method: 'GET' | 'POST', url: string): Lane | undefined {
    if (!this.isOpen) return undefined
    const lanes = this.lanes[method]
    const lane = lanes.get(url)
    if (lane !== undefined) return lane.parameter === undefined ? lane : undefined
    const at = url.lastIndexOf('/') + 1
    return PARAMETER.test(url.slice(at)) ? lanes.get(url.slice(0, at)) : undefined
  }

  /** Durations go into the same metric as all other requests. */
  measureWith(seriesOf: SeriesOf): void {
    this.seriesOf = seriesOf
  }

  /**
   * Requests that arrive in one event-loop tick are answered together at its end: the processor repeats
   * the same work, and the system wakes the waiting clients once instead of once per answer. A lone
   * request does not wait, and none waits for more than 16 others.
   */
  enter(connection: LaneConnection, exchange: LeanExchange, body: object): void {
    this.waiting.push({ connection, exchange, body })
    if (this.waiting.length >= ANSWERED_TOGETHER_MAX) this.answerAll()
    else this.endTurn()
  }

  /** Queues the answer to leave with the others of this tick. */
  write(leaving: Leaving): void {
    this.leaving.push(leaving)
    this.endTurn()
  }

  private endTurn(): void {
    if (this.isTurnEnding) return
    this.isTurnEnding = true
    setImmediate(() => {
      this.isTurnEnding = false
      this.answerAll()
    })
  }

  private answerAll(): void {
    const { waiting } = this
    this.waiting = []
    for (const { connection, exchange, body } of waiting) connection.answer(exchange, body)
    this.letLeave()
  }

  letLeave(): void {
    const { leaving } = this
    if (leaving.length === 0) return
    this.leaving = []
    for (const { socket, text, encoding } of leaving) socket.write(text, encoding)
    const nowMs = performance.now()
    for (const { exchange, status } of leaving) this.measure(exchange, status, nowMs)
  }

  private measure({ lane, startedMs }: LeanExchange, status: number, nowMs: number): void {
    let series = lane.seriesByStatus.get(status)
    if (series === undefined) {
      series = this.seriesOf?.(lane.route.method, lane.url, status)
      if (series === undefined) return
      lane.seriesByStatus.set(status, series)
    }
    series.observe((nowMs - startedMs) / 1_000)
  }

  /** Takes a connection. `handOver` gets it as soon as something arrives that is not plain. */
  take(socket: Socket, handOver: (socket: Socket) => void): void {
    const connection = new LaneConnection(this, socket, handOver)
    this.connections.add(connection)
    connection.whenGone = () => void this.connections.delete(connection)
  }

  /** Disconnects clients that sent nothing since the last call. */
  endIdle(): void {
    for (const connection of this.connections) connection.endIfIdle()
  }

  /** New requests go to Fastify, which closes politely; idle connections are closed. */
  close(): void {
    this.isOpen = false
    for (const connection of this.connections) connection.sendHome()
  }
}

/** Half of `node:http`'s 72 s: a silent client is disconnected after one or two rounds. */
const IDLE_ROUND_MS = 36_000

/** Puts the fast lane before Fastify, which gets everything the lane does not take. */
export function openFastLane(http: FastifyInstance, lane: FastLane): void {
  const { server } = http
  const [handOver] = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) =>
    lane.take(socket, (socket) => handOver!.call(server, socket)),
  )
  const idleRounds = setInterval(() => lane.endIdle(), IDLE_ROUND_MS).unref()
  http.addHook('preClose', async () => {
    clearInterval(idleRounds)
    lane.close()
  })
}
