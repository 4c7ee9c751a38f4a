import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextLoopTick, setTimeout as rest } from 'node:timers/promises'

/**
 * Sends requests at fixed times, whether or not earlier ones were answered. Latency counts from the
 * planned time, so a stall is visible. The generator checks four times per millisecond for due requests
 * and sleeps in between: spinning would take the core that the database needs, and timers would send in
 * bursts. Its own delays count as the server's, so it creates hardly any garbage, moves its data to the old
 * generation before it starts, and reads everything into one buffer. One process runs several orders in
 * sequence, because a new process is still being compiled. It ends with its parent.
 */
export interface Order {
  readonly port: number
  readonly perSecond: number
  readonly seconds: number
  readonly connections: number
}

const [requestsFile] = process.argv.slice(2)
const requests = readFileSync(requestsFile!, 'utf8')
  .split('\0')
  .map((text) => Buffer.from(text))

const SECOND_MS = 1_000
/** The start of an order does not count, because connections are new. */
const SETTLING_MS = SECOND_MS / 2
const CONNECTIONS_MAX = 256
const TICK_MS = 0.25
const bell = new Int32Array(new SharedArrayBuffer(4))
const LAST_ANSWERS_MS = 500
const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = Buffer.from('content-length: ')
/** Position of the status, after `HTTP/1.1 `. */
const STATUS_AT = 9
const shared = Buffer.alloc(65_536)

class Line {
  busy = false
  private appointedMs = 0
  private status = 0
  /** Missing bytes of the current answer, whose head arrives in one chunk. */
  private bytesMissing = 0
  private readonly socket: Socket
  private readonly onAnswer: (line: Line, status: number, latencyMs: number) => void

  constructor(port: number, onAnswer: Line['onAnswer']) {
    this.onAnswer = onAnswer
    this.socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: shared, callback: (bytes) => (this.take(bytes), true) },
    })
    this.socket.on('error', () => this.answer(0))
    this.socket.on('close', () => this.answer(0))
  }

  send(request: Buffer, appointedMs: number): void {
    this.busy = true
    this.appointedMs = appointedMs
    this.socket.write(request)
  }

  end(): void {
    this.socket.destroy()
  }

  private take(bytes: number): void {
    if (this.bytesMissing === 0) {
      this.status = digitsAt(STATUS_AT)
      this.bytesMissing = answerBytes(bytes)
    }
    this.bytesMissing -= bytes
    if (this.bytesMissing === 0) this.answer(this.status)
  }

  private answer(status: number): void {
    if (!this.busy) return
    this.busy = false
    this.onAnswer(this, status, performance.now() - this.appointedMs)
  }
}

/** Length of the answer at the start of the shared buffer, including its head. */
function answerBytes(bytes: number): number {
  const headEnd = shared.indexOf(HEAD_END)
  if (headEnd < 0 || headEnd >= bytes)
    throw new Error('the head of an answer arrived in several chunks')
  const lengthAt = shared.indexOf(LENGTH)
  const hasBody = lengthAt >= 0 && lengthAt < headEnd
  return headEnd + HEAD_END.length + (hasBody ? digitsAt(lengthAt + LENGTH.length) : 0)
}

function digitsAt(start: number): number {
  let number = 0
  for (let at = start; isDigit(shared[at]!); at++) number = number * 10 + shared[at]! - 48
  return number
}

const isDigit = (code: number) => code >= 48 && code <= 57

/** A list of numbers that is allocated for all of them at the start. */
class Numbers {
  private readonly values: Float64Array
  private count = 0

  constructor(most: number) {
    this.values = new Float64Array(most)
  }

  get length(): number {
    return this.count
  }

  push(value: number): void {
    this.values[this.count++] = value
  }

  quantile(share: number): number {
    const sorted = this.values.subarray(0, this.count).toSorted()
    return sorted[Math.min(this.count - 1, Math.floor(this.count * share))] ?? 0
  }
}

/** Outcome of the requests. */
class Tally {
  private readonly latencies: Numbers
  /** By the second in which they ended, including those at the start that do not count. */
  private readonly bySecond: readonly Numbers[]
  private readonly statuses: Record<number, number> = {}
  /** Distance of the generator's checks for due requests. Its own delay counts as latency. */
  private readonly tickGaps: Numbers
  private lastTickMs = 0

  constructor({ perSecond, seconds }: Order) {
    const all = Math.ceil(SETTLING_MS / SECOND_MS + seconds)
    this.latencies = new Numbers(perSecond * all)
    this.bySecond = Array.from({ length: all }, () => new Numbers(perSecond * all))
    this.tickGaps = new Numbers((all * SECOND_MS) / TICK_MS)
  }

  answered(status: number, elapsedMs: number, latencyMs: number): void {
    this.bySecond[Math.floor(elapsedMs / SECOND_MS)]?.push(latencyMs)
    if (elapsedMs <= SETTLING_MS) return
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
    if (status === 200 || status === 204) this.latencies.push(latencyMs)
  }

  ticked(elapsedMs: number): void {
    if (elapsedMs > SETTLING_MS) this.tickGaps.push(elapsedMs - this.lastTickMs)
    this.lastTickMs = elapsedMs
  }

  figures(seconds: number) {
    return {
      answered: this.latencies.length,
      perSecond: this.latencies.length / seconds,
      statuses: this.statuses,
      p50Ms: this.latencies.quantile(0.5),
      p99Ms: this.latencies.quantile(0.99),
      tickP99Ms: this.tickGaps.quantile(0.99),
      tickMaxMs: this.tickGaps.quantile(1),
      // A second without answers counts as a latency of one second.
      p99MsBySecond: this.bySecond.map((some) =>
        some.length === 0 ? SECOND_MS : some.quantile(0.99),
      ),
    }
  }
}

async function run(order: Order) {
  const { port, perSecond, seconds } = order
  const connections = Math.min(CONNECTIONS_MAX, order.connections)
  const tally = new Tally(order)
  const idle: Line[] = []
  const totalMs = SETTLING_MS + seconds * 1_000
  /** Requests are evenly spaced, so the number of a request gives its time. */
  let sent = 0
  let due = 0
  let startMs = 0

  const send = (line: Line) => {
    const request = requests[sent % requests.length]!
    line.send(request, startMs + (sent++ / perSecond) * 1_000)
  }
  const next = (line: Line) => {
    if (sent < due) send(line)
    else idle.push(line)
  }
  const lines = Array.from(
    { length: connections },
    () =>
      new Line(port, (line, status, latencyMs) => {
        tally.answered(status, performance.now() - startMs, latencyMs)
        next(line)
      }),
  )
  idle.push(...lines)

  gc!()
  startMs = performance.now()
  for (let elapsedMs = 0; elapsedMs < totalMs;) {
    elapsedMs = performance.now() - startMs
    tally.ticked(elapsedMs)
    due = (elapsedMs / 1_000) * perSecond
    for (let late = Math.min(idle.length, Math.ceil(due - sent)); late > 0; late--) {
      send(idle.pop()!)
    }
    // Nothing notifies this address, so the thread sleeps for the full time. Answers are read before the next tick.
    Atomics.wait(bell, 0, 0, TICK_MS)
    await nextLoopTick()
  }
  await rest(LAST_ANSWERS_MS)
  for (const line of lines) line.end()
  return { offered: perSecond * seconds, ...tally.figures(seconds) }
}

process.on('message', (order: Order) => void run(order).then((figures) => process.send!(figures)))
process.on('disconnect', () => process.exit(0))
