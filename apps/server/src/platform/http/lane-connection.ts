import { STATUS_CODES, type IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { parse as parseJson } from 'secure-json-parse'
import type { Asked, FastLane, Lane } from './fast-lane.ts'
import { type PlainRequest, readPlainRequest } from './plain-request.ts'
import { problemReply } from './reply-with-problem.ts'

const IDLE_MS = 72_000
/** Who asks on and on without reading the answers is let go. */
const UNREAD_BYTES_MAX = 1_048_576
const NO_QUERY = {}
const JSON_TYPE = 'content-type: application/json; charset=utf-8\r\n'

interface Visit {
  readonly lane: Lane
  readonly headers: IncomingHttpHeaders
  readonly id: string
  readonly startedMs: number
}

/** One connection while everything that comes on it is plain. */
export class LaneConnection {
  whenGone = () => {}
  private readonly fastLane: FastLane
  private readonly socket: Socket
  private readonly handOver: (socket: Socket) => void
  /** An answer is on its way. */
  private isBusy = false
  private isGoingHome = false

  private readonly onData = (chunk: Buffer) => this.read(chunk)
  private readonly onTimeout = () => void this.socket.destroy()
  private readonly onClose = () => this.whenGone()
  // A broken connection closes; there is nobody to tell.
  private readonly onError = () => {}

  constructor(fastLane: FastLane, socket: Socket, handOver: (socket: Socket) => void) {
    this.fastLane = fastLane
    this.socket = socket
    this.handOver = handOver
    socket.setTimeout(IDLE_MS)
    socket.on('data', this.onData)
    socket.on('timeout', this.onTimeout)
    socket.on('close', this.onClose)
    socket.on('error', this.onError)
    socket.on('end', this.onEnd)
  }

  private readonly onEnd = () => void this.socket.end()

  /** Idle: at once. Busy: after the answer. */
  sendHome(): void {
    this.isGoingHome = true
    if (!this.isBusy) this.socket.end()
  }

  private read(chunk: Buffer): void {
    const request = readPlainRequest(chunk)
    const lane = request && isPlain(request) ? this.fastLane.laneOf(request.url) : undefined
    if (lane === undefined) return this.leave(chunk)

    const { headers } = request!
    const id = this.fastLane.deps.idOf(request!)
    const visit = { lane, headers, id, startedMs: performance.now() }
    if (!this.fastLane.deps.shedding.letsIn()) return this.refuse(visit)
    this.answer(visit, chunk.toString('utf8', request!.bodyAt))
  }

  /** The framework reads the same bytes again, and all that follow. */
  private leave(chunk: Buffer): void {
    const { socket } = this
    socket.off('data', this.onData)
    socket.off('timeout', this.onTimeout)
    socket.off('close', this.onClose)
    socket.off('error', this.onError)
    socket.off('end', this.onEnd)
    socket.setTimeout(0)
    this.whenGone()
    socket.unshift(chunk)
    this.handOver(socket)
  }

  private answer(visit: Visit, text: string): void {
    const { lane } = visit
    this.isBusy = true
    try {
      const answering = lane.route.answer(this.asked(visit, text), (status, body) => {
        if (body === undefined) this.write(visit, status, '', '')
        else this.write(visit, status, JSON_TYPE, JSON.stringify(body))
      })
      if (answering instanceof Promise) this.wait(visit, answering)
    } catch (error) {
      this.fail(visit, error)
    }
  }

  /** Answers come in the order of their questions: the next is not read before. */
  private wait(visit: Visit, answering: Promise<void>): void {
    this.socket.pause()
    this.fastLane.deps.shedding
      .whileWaiting(answering)
      .catch((error: unknown) => this.fail(visit, error))
      .finally(() => this.socket.resume())
  }

  private asked({ lane, headers }: Visit, text: string): Asked<Record<string, unknown>> {
    const body: unknown = parseJson(text)
    if (!lane.validate(body)) {
      const { errors } = lane.validate
      throw Object.assign(new Error(), { validation: errors, validationContext: 'body' })
    }
    return {
      method: 'POST',
      headers,
      ip: this.fastLane.deps.addressOf(headers, this.socket),
      body: body as Record<string, unknown>,
      query: NO_QUERY,
      principal: undefined,
    }
  }

  private refuse(visit: Visit): void {
    const { status, headers, body } = this.fastLane.deps.shedding.refusal
    this.write(visit, status, linesOf(Object.entries(headers).flat()), body)
  }

  private fail(visit: Visit, error: unknown): void {
    const { status, headers, body } = problemReply(error as Error, visit.id)
    if (status >= 500) {
      this.fastLane.deps.log.error({ err: error, reqId: visit.id }, 'request failed')
    }
    if (this.isBusy) this.write(visit, status, linesOf(headers), JSON.stringify(body))
  }

  // oxlint-disable-next-line max-params -- on the path of every decision, where an object costs
  private write(visit: Visit, status: number, lines: string, text: string): void {
    const { lane, headers, id, startedMs } = visit
    const { socket, fastLane } = this
    const { origin } = headers
    this.isBusy = false
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nx-request-id: ${id}\r\n${lane.headerLines}` +
        (origin === undefined ? '' : `access-control-allow-origin: ${origin}\r\n`) +
        (this.isGoingHome ? 'connection: close\r\n' : '') +
        (status === 204 ? '' : `content-length: ${Buffer.byteLength(text)}\r\n`) +
        `${fastLane.dateLine()}${lines}\r\n${text}`,
    )
    fastLane.seriesOf?.('POST', lane.url, status).observe((performance.now() - startedMs) / 1_000)
    if (this.isGoingHome || socket.writableLength > UNREAD_BYTES_MAX) socket.end()
  }
}

function isPlain({ method, headers }: PlainRequest): boolean {
  return (
    method === 'POST' &&
    headers['content-type'] === 'application/json' &&
    headers.authorization === undefined &&
    headers['x-api-key'] === undefined
  )
}

function linesOf(headers: readonly string[]): string {
  let lines = ''
  for (let at = 0; at < headers.length; at += 2) lines += `${headers[at]!}: ${headers[at + 1]!}\r\n`
  return lines
}
