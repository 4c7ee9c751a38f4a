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
 * A few routes are asked so often that the framework's steps would cost more than their work. Such a
 * route is written once, against these few words, and answers on two ways: the framework's, which
 * knows everything, and the fast lane, which takes the plain case straight from the socket: a public
 * route without a credential, or another with one that is remembered. What is not plain goes the
 * framework's way; both give the same answers.
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

/** Text is sent as it is, byte by byte, under the route's own type; nothing means no body. */
export type Send = (status: number, body?: object | string) => void

export interface LeanRoute<Body extends TObject = TObject> {
  readonly method: 'GET' | 'POST'
  /** Below the prefix of the scope it is added to; its last part may be a parameter. */
  readonly url: string
  readonly config: FastifyContextConfig
  readonly schema: { readonly body?: Body } & Readonly<Record<string, unknown>>
  /** The body is bytes, up to so many, that the route reads itself; the scope takes nothing else. */
  readonly bytesMax?: number
  /** Of every answer. */
  readonly headers: Readonly<Record<string, string>>
  /** Of a body of text. */
  readonly contentType?: string
  answer(asked: LeanRequest<Static<Body>>, send: Send): void | Promise<void>
}

/** Adds a route on both ways. */
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

/** A route as the lane keeps it. */
export interface Lane {
  readonly url: string
  readonly route: LeanRoute
  readonly validate: ReturnType<CompileBody> | undefined
  /** What a caller must be allowed; undefined where everybody is. */
  readonly permission: string | undefined
  /** The name of the last part of the address, where that is a parameter. */
  readonly parameter: string | undefined
  /** The lines of every answer. */
  readonly headerLines: string
  /** Where times are counted. */
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

/** So many answers take a millisecond: a request waits about that long for those before it. */
const ANSWERED_TOGETHER_MAX = 16

/** What every route with a parameter takes. */
const PARAMETER = /^[\w-]{1,288}$/

/** The routes of the lane, and the connections that are on it. */
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

  /** The same for all answers of a second. */
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

  /** Times are counted where those of all other requests are. */
  measureWith(seriesOf: SeriesOf): void {
    this.seriesOf = seriesOf
  }

  /**
   * What came in one turn of the loop is answered at its end, one after the other, and the answers
   * leave together: the processor does the same work many times in a row, and the system wakes those
   * who wait once instead of once per answer. Who is alone does not wait, and nobody waits for more
   * than a few others.
   */
  enter(connection: LaneConnection, exchange: LeanExchange, body: object): void {
    this.waiting.push({ connection, exchange, body })
    if (this.waiting.length >= ANSWERED_TOGETHER_MAX) this.answerAll()
    else this.endTurn()
  }

  /** An answer leaves with the others of this turn. */
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

  /** Takes a connection; `handOver` gets it, once something comes that is not plain. */
  take(socket: Socket, handOver: (socket: Socket) => void): void {
    const connection = new LaneConnection(this, socket, handOver)
    this.connections.add(connection)
    connection.whenGone = () => void this.connections.delete(connection)
  }

  /** Lets those go who have said nothing since it was called last. */
  endIdle(): void {
    for (const connection of this.connections) connection.endIfIdle()
  }

  /** New requests go the framework's way, which knows how to say good-bye; who is idle is sent home. */
  close(): void {
    this.isOpen = false
    for (const connection of this.connections) connection.sendHome()
  }
}

/** Half of the 72 seconds of `node:http`: who says nothing is let go after one of these, or two. */
const IDLE_ROUND_MS = 36_000

/** Puts the lane before the framework: what it does not take goes on as ever. */
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
