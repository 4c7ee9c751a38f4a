import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

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

async function run({ port, perSecond, seconds, connections, requestsFile }: Order) {
  const requests = readFileSync(requestsFile, 'utf8')
    .split('\0')
    .map((text) => Buffer.from(text))
  const latencies: number[] = []
  /** By the second in which they ended, from the first: also those that do not count. */
  const bySecond: number[][] = []
  const statuses: Record<number, number> = {}
  const idle: Line[] = []
  const totalMs = WARM_UP_MS + seconds * 1_000
  let at = 0
  /** Requests are appointed at even distances: the next one to go is known by its number alone. */
  let sent = 0
  let due = 0
  let startMs = 0
  /** How far apart it comes to look for what is due: its own lateness counts as latency. */
  const tickGaps: number[] = []
  let lastTickMs = 0

  const send = (line: Line) => {
    const appointedMs = startMs + (sent++ / perSecond) * 1_000
    line.send(requests[at++ % requests.length]!, appointedMs)
  }
  const next = (line: Line) => {
    if (sent < due) send(line)
    else idle.push(line)
  }
  const lines = Array.from(
    { length: connections },
    () =>
      new Line(port, (line, status, latencyMs) => {
        const elapsedMs = performance.now() - startMs
        ;(bySecond[Math.floor(elapsedMs / 1_000)] ??= []).push(latencyMs)
        if (elapsedMs > WARM_UP_MS) {
          statuses[status] = (statuses[status] ?? 0) + 1
          if (status === 200 || status === 204) latencies.push(latencyMs)
        }
        next(line)
      }),
  )
  idle.push(...lines)

  startMs = performance.now()
  await new Promise<void>((resolve) => {
    const tick = () => {
      const elapsedMs = performance.now() - startMs
      if (elapsedMs > WARM_UP_MS) tickGaps.push(elapsedMs - lastTickMs)
      lastTickMs = elapsedMs
      due = (elapsedMs / 1_000) * perSecond
      for (let line = idle.pop(); line !== undefined; line = idle.pop()) {
        if (sent >= due) {
          idle.push(line)
          break
        }
        send(line)
      }
      if (elapsedMs >= totalMs) return void setTimeout(resolve, 500)
      // Nobody rings: the thread sleeps that long. What came meanwhile is read before the next tick.
      Atomics.wait(bell, 0, 0, TICK_MS)
      setImmediate(tick)
    }
    tick()
  })
  for (const line of lines) line.end()
  latencies.sort((a, b) => a - b)
  tickGaps.sort((a, b) => a - b)
  return {
    offered: perSecond * seconds,
    answered: latencies.length,
    perSecond: latencies.length / seconds,
    statuses,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    tickP99Ms: quantile(tickGaps, 0.99),
    p99MsBySecond: bySecond.map((some) =>
      quantile(
        some.toSorted((a, b) => a - b),
        0.99,
      ),
    ),
  }
}

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.floor(sorted.length * share)] ?? 0

process.stdout.write(`${JSON.stringify(await run(order))}\n`)
process.exit(0)
