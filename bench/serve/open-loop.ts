import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextLoopTick, setTimeout as rest } from 'node:timers/promises'

/**
 * Sends requests at their appointed times, whether or not earlier ones were answered, so that a stall
 * is seen: a latency counts from the appointed time. It looks for what is due four times a millisecond
 * and sleeps between, because a generator that spins takes the core that the database needs, and one
 * that sleeps as long as a timer does sends in bursts. What it is late itself is counted as the
 * server's: so it makes hardly any garbage, has what it keeps moved out of the way before it starts,
 * and reads everything into one place. It takes one order after the other, because one that has just
 * been started is still being compiled, and ends with whoever started it.
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
/** The first moments of an order do not count: connections are new. */
const SETTLING_MS = SECOND_MS / 2
const CONNECTIONS_MAX = 256
const TICK_MS = 0.25
const bell = new Int32Array(new SharedArrayBuffer(4))
const LAST_ANSWERS_MS = 500
const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = Buffer.from('content-length: ')
/** Where the status is: after `HTTP/1.1 `. */
const STATUS_AT = 9
const shared = Buffer.alloc(65_536)

class Line {
  busy = false
  private appointedMs = 0
  private status = 0
  /** Of the answer at hand; its head comes in one piece. */
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

/** Of the answer that begins the shared buffer, with its head. */
function answerBytes(bytes: number): number {
  const headEnd = shared.indexOf(HEAD_END)
  if (headEnd < 0 || headEnd >= bytes) throw new Error('the head of an answer came in pieces')
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

/** Numbers in the order they came, with room for all of them from the start. */
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

/** What came of the requests. */
class Tally {
  private readonly latencies: Numbers
  /** By the second in which they ended, from the first: also those that do not count. */
  private readonly bySecond: readonly Numbers[]
  private readonly statuses: Record<number, number> = {}
  /** How far apart the generator looked for what was due: its own lateness counts as latency. */
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
      // A second in which nobody is answered is a second of waiting.
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
  /** Requests are appointed at even distances: the next one to go is known by its number alone. */
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
    // Nobody rings: the thread sleeps that long. What came meanwhile is read before the next tick.
    Atomics.wait(bell, 0, 0, TICK_MS)
    await nextLoopTick()
  }
  await rest(LAST_ANSWERS_MS)
  for (const line of lines) line.end()
  return { offered: perSecond * seconds, ...tally.figures(seconds) }
}

process.on('message', (order: Order) => void run(order).then((figures) => process.send!(figures)))
process.on('disconnect', () => process.exit(0))
