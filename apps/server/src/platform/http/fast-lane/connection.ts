import { STATUS_CODES, type IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { parse as parseJson } from 'secure-json-parse'
import { sendsCredential } from '../access.ts'
import type { WaysOf } from '../addresses.ts'
import type { LeanRequest, FastLane, Lane } from './fast-lane.ts'
import { type PlainRequest, readPlainRequest } from './plain-request.ts'
import type { Principal } from '../principal.ts'
import { problemReply } from '../reply-with-problem.ts'

/** A client that keeps sending without reading the answers is disconnected. */
const UNREAD_BYTES_MAX = 1_048_576
const NONE = {}
const JSON_TYPE = 'content-type: application/json; charset=utf-8\r\n'

export interface LeanExchange {
  readonly lane: Lane
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly principal: Principal | undefined
  readonly id: string
  readonly startedMs: number
}

/** One connection, as long as every request on it is plain. */
export class LaneConnection {
  whenGone = () => {}
  private readonly fastLane: FastLane
  private readonly socket: Socket
  private readonly handOver: (socket: Socket) => void
  private readonly wayOf: ReturnType<WaysOf>
  /** An answer is being written. */
  private isBusy = false
  private isGoingHome = false
  /** Nothing arrived since the last idle round: one shared timer is cheaper than one per request. */
  private isIdle = false
  private putOffChunks: Buffer[] = []

  private readonly onData = (chunk: Buffer) => this.read(chunk)
  private readonly onClose = () => this.whenGone()
  private readonly onEnd = () => this.sendHome()
  // A broken connection closes; there is nobody to tell.
  private readonly onError = () => {}

  constructor(fastLane: FastLane, socket: Socket, handOver: (socket: Socket) => void) {
    this.fastLane = fastLane
    this.socket = socket
    this.handOver = handOver
    this.wayOf = fastLane.deps.waysOf(socket)
    socket.on('data', this.onData)
    socket.on('close', this.onClose)
    socket.on('error', this.onError)
    socket.on('end', this.onEnd)
  }

  /** Closes an idle connection at once, a busy one after its answer. */
  sendHome(): void {
    this.isGoingHome = true
    if (!this.isBusy) this.end()
  }

  endIfIdle(): void {
    if (this.isIdle) this.socket.destroy()
    this.isIdle = true
  }

  private read(chunk: Buffer): void {
    this.isIdle = false
    if (this.isBusy) return this.putOff(chunk)
    const request = readPlainRequest(chunk)
    if (request === undefined) return this.leave(chunk)
    const { method, url, headers } = request
    const { deps } = this.fastLane
    const lane = this.fastLane.laneOf(method, url)
    if (lane === undefined || !isPlain(request, lane)) return this.leave(chunk)
    const principal = lane.permission === undefined ? undefined : deps.callers.find(request)
    if (!mayEnter(lane, principal)) return void this.recognise(request, chunk)
    const id = deps.idOf(request)
    const exchange = { lane, url, headers, principal, id, startedMs: performance.now() }
    if (!deps.shedding.letsIn()) return this.refuse(exchange)
    const body = readBody(lane, chunk, request.bodyAt)
    if (body === undefined) return this.leave(chunk)
    this.isBusy = true
    this.fastLane.enter(this, exchange, body)
  }

  /** Looks the caller up, then remembers the credential for a while. Fastify answers whoever is refused. */
  private async recognise(request: PlainRequest, chunk: Buffer): Promise<void> {
    const { callers } = this.fastLane.deps
    this.isBusy = true
    const principal = await callers.identify(request).catch(() => undefined)
    this.isBusy = false
    const lane = this.fastLane.laneOf(request.method, request.url)
    if (lane !== undefined && mayEnter(lane, principal)) this.read(chunk)
    else this.leave(chunk)
  }

  /** `node:http` reads the same bytes again, and all that follow. */
  private leave(chunk: Buffer): void {
    const { socket } = this
    this.fastLane.letLeave()
    socket.off('data', this.onData)
    socket.off('close', this.onClose)
    socket.off('error', this.onError)
    socket.off('end', this.onEnd)
    this.whenGone()
    socket.unshift(Buffer.concat([chunk, ...this.putOffChunks]))
    this.handOver(socket)
  }

  answer(exchange: LeanExchange, body: object): void {
    const { lane } = exchange
    try {
      const answering = lane.route.answer(this.asked(exchange, body), (status, body) => {
        this.write(exchange, replyOf(lane, status, body))
      })
      if (answering instanceof Promise) return this.wait(exchange, answering)
    } catch (error) {
      this.fail(exchange, error)
    }
    this.readOn()
  }

  private wait(exchange: LeanExchange, answering: Promise<void>): void {
    this.fastLane.deps.shedding.whileWaiting(answering).then(
      () => this.readOn(),
      (error: unknown) => {
        this.fail(exchange, error)
        this.readOn()
      },
    )
  }

  /** Answers keep the order of requests: pipelined bytes wait for the current answer. */
  private putOff(chunk: Buffer): void {
    this.putOffChunks.push(chunk)
    this.socket.pause()
  }

  private readOn(): void {
    if (this.putOffChunks.length === 0) return
    const chunk = Buffer.concat(this.putOffChunks)
    this.putOffChunks = []
    this.socket.resume()
    this.read(chunk)
  }

  private asked(
    { lane, url, headers, principal }: LeanExchange,
    body: object,
  ): LeanRequest<Record<string, unknown>> {
    const { parameter } = lane
    const { ip, protocol, host } = this.wayOf(headers)
    return {
      method: lane.route.method,
      headers,
      ip,
      protocol,
      host,
      body: body as Record<string, unknown>,
      params: parameter === undefined ? NONE : { [parameter]: url.slice(url.lastIndexOf('/') + 1) },
      query: NONE,
      principal,
    }
  }

  private refuse(exchange: LeanExchange): void {
    const { status, headers, body } = this.fastLane.deps.shedding.refusal
    this.write(exchange, { status, lines: linesOf(Object.entries(headers).flat()), text: body })
  }

  private fail(exchange: LeanExchange, error: unknown): void {
    const { status, headers, body } = problemReply(error as Error, exchange.id)
    if (status >= 500) {
      this.fastLane.deps.log.error({ err: error, reqId: exchange.id }, 'request failed')
    }
    const text = JSON.stringify(body)
    if (this.isBusy) this.write(exchange, { status, lines: linesOf(headers), text })
  }

  private write(exchange: LeanExchange, { status, lines, text, encoding = 'utf8' }: Reply): void {
    const { lane, headers, id } = exchange
    const { socket, fastLane } = this
    const { origin } = headers
    this.isBusy = false
    const answer =
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nx-request-id: ${id}\r\n${lane.headerLines}` +
      (origin === undefined ? '' : crossOriginLines(lane, origin)) +
      (this.isGoingHome ? 'connection: close\r\n' : '') +
      (status === 204 ? '' : `content-length: ${Buffer.byteLength(text, encoding)}\r\n`) +
      `${fastLane.dateLine()}${lines}\r\n${text}`
    fastLane.write({ socket, exchange, status, text: answer, encoding })
    if (this.isGoingHome || socket.writableLength > UNREAD_BYTES_MAX) this.end()
  }

  /** After everything written so far. */
  private end(): void {
    this.fastLane.letLeave()
    this.socket.end()
  }
}

function crossOriginLines({ route: { config } }: Lane, origin: string): string {
  if (!config.crossOrigin) return ''
  const allowed = `access-control-allow-origin: ${origin}\r\n`
  return config.crossOrigin === 'with-credentials'
    ? `${allowed}access-control-allow-credentials: true\r\n`
    : allowed
}

interface Reply {
  readonly status: number
  /** Header lines besides those of every answer. */
  readonly lines: string
  readonly text: string
  readonly encoding?: 'utf8' | 'latin1'
}

function replyOf({ route }: Lane, status: number, body: object | string | undefined): Reply {
  if (body === undefined) return { status, lines: '', text: '' }
  if (typeof body === 'object') return { status, lines: JSON_TYPE, text: JSON.stringify(body) }
  const lines = `content-type: ${route.contentType!}\r\n`
  return { status, lines, text: body, encoding: 'latin1' }
}

const BYTES_TYPE = 'application/octet-stream'

/** Other content types, and credentials where none is needed, go to Fastify. */
function isPlain({ method, headers }: PlainRequest, { route, permission }: Lane): boolean {
  const type = route.bytesMax === undefined ? 'application/json' : BYTES_TYPE
  if (method === 'POST' && !route.takesAnyType && headers['content-type'] !== type) return false
  return permission !== undefined || !sendsCredential({ headers })
}

const mayEnter = ({ permission }: Lane, principal: Principal | undefined) =>
  permission === undefined || principal?.permissions.has(permission) === true

/** Undefined for a body the route does not accept: Fastify words the error. */
function readBody(
  { route: { bytesMax }, validate }: Lane,
  chunk: Buffer,
  bodyAt: number,
): object | undefined {
  if (bytesMax !== undefined) {
    return chunk.length - bodyAt <= bytesMax ? chunk.subarray(bodyAt) : undefined
  }
  if (!validate) return NONE
  try {
    const body: unknown = parseJson(chunk.toString('utf8', bodyAt))
    return validate(body) ? (body as object) : undefined
  } catch {
    return undefined
  }
}

function linesOf(headers: readonly string[]): string {
  let lines = ''
  for (let at = 0; at < headers.length; at += 2) lines += `${headers[at]!}: ${headers[at + 1]!}\r\n`
  return lines
}
