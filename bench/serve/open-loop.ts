import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as rest } from 'node:timers/promises'

/**
 * Sends requests at their appointed times, whether or not earlier ones were answered, so that a stall
 * is seen: a latency counts from the appointed time. It looks for what is due four times a millisecond
 * and sleeps between, because a generator that spins takes the core that the database needs, and one
 * that sleeps as long as a timer does sends in bursts; its own first second, when it is still being
 * compiled, does not count. Prints one line of JSON and ends by itself.
 */
interface Order {
  readonly port: number
  readonly perSecond: number
  readonly seconds: number
  readonly connections: number
  readonly requestsFile: string
}

const [port, perSecond, seconds, connections, requestsFile] = process.argv.slice(2)
const order: Order = {
  port: Number(port),
  perSecond: Number(perSecond),
  seconds: Number(seconds),
  connections: Math.min(256, Number(connections)),
  requestsFile: requestsFile!,
}

const WARM_UP_MS = 1_000
const TICK_MS = 0.25
const bell = new Int32Array(new SharedArrayBuffer(4))
const LAST_ANSWERS_MS = 500
const HEADER_END = Buffer.from('\r\n\r\n')

class Line {
  busy = false
  private appointedMs = 0
  private received: Buffer = Buffer.alloc(0)
  private readonly socket: Socket
  private readonly onAnswer: (line: Line, status: number, latencyMs: number) => void

  constructor(port: number, onAnswer: Line['onAnswer']) {
    this.onAnswer = onAnswer
    this.socket = connect(port, '127.0.0.1')
    this.socket.setNoDelay(true)
    this.socket.on('data', (chunk) => this.take(chunk))
    this.socket.on('error', () => this.answer(0))
    this.socket.on('close', () => this.answer(0))
  }

  send(request: Buffer, appointedMs: number): void {
    this.busy = true
    this.appointedMs = appointedMs
    this.received = Buffer.alloc(0)
    this.socket.write(request)
  }

  end(): void {
    this.socket.destroy()
  }

  private take(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk])
    const headerEnd = this.received.indexOf(HEADER_END)
    if (headerEnd < 0) return
    const head = this.received.subarray(0, headerEnd).toString('latin1')
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (this.received.length < headerEnd + 4 + length) return
    this.answer(Number(head.slice(9, 12)))
  }

  private answer(status: number): void {
    if (!this.busy) return
    this.busy = false
    this.onAnswer(this, status, performance.now() - this.appointedMs)
  }
}

/** What came of the requests. */
class Tally {
  private readonly latencies: number[] = []
  /** By the second in which they ended, from the first: also those that do not count. */
  private readonly bySecond: number[][] = []
  private readonly statuses: Record<number, number> = {}
  /** How far apart the generator looked for what was due: its own lateness counts as latency. */
  private readonly tickGaps: number[] = []
  private lastTickMs = 0

  answered(status: number, elapsedMs: number, latencyMs: number): void {
    ;(this.bySecond[Math.floor(elapsedMs / 1_000)] ??= []).push(latencyMs)
    if (elapsedMs <= WARM_UP_MS) return
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
    if (status === 200 || status === 204) this.latencies.push(latencyMs)
  }

  ticked(elapsedMs: number): void {
    if (elapsedMs > WARM_UP_MS) this.tickGaps.push(elapsedMs - this.lastTickMs)
    this.lastTickMs = elapsedMs
  }

  figures(seconds: number) {
    return {
      answered: this.latencies.length,
      perSecond: this.latencies.length / seconds,
      statuses: this.statuses,
      p50Ms: quantile(this.latencies, 0.5),
      p99Ms: quantile(this.latencies, 0.99),
      tickP99Ms: quantile(this.tickGaps, 0.99),
      p99MsBySecond: this.bySecond.map((some) => quantile(some, 0.99)),
    }
  }
}

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0

async function run({ port, perSecond, seconds, connections, requestsFile }: Order) {
  const requests = readFileSync(requestsFile, 'utf8')
    .split('\0')
    .map((text) => Buffer.from(text))
  const tally = new Tally()
  const idle: Line[] = []
  const totalMs = WARM_UP_MS + seconds * 1_000
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
    await nextTurn()
  }
  await rest(LAST_ANSWERS_MS)
  for (const line of lines) line.end()
  return { offered: perSecond * seconds, ...tally.figures(seconds) }
}

process.stdout.write(`${JSON.stringify(await run(order))}\n`)
process.exit(0)
