import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { Dice } from '../bench/engine/dice.ts'
import type { Market, PlannedEvent } from './market.ts'

export interface LoadOptions {
  readonly market: Market
  readonly seed: number
  readonly eventsPerSecond: number
  /** The nodes that get the events, in rotation. */
  readonly targets: readonly string[]
  /** The log of each event: true once it is acknowledged. */
  readonly log: Map<string, boolean>
  acknowledged?(eventId: string): void
}

const CLIENTS = 64
const BEACON_MAX = 10
const REPEAT_SHARE = 0.1
const RETRY_MS = 50
/** After this time an event is sent to another node, and may arrive twice. */
const ANSWER_MS_MAX = 6_000
const QUEUE_MAX = 2_000
const RATE_SECONDS = 1
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/**
 * Sends each event until it is acknowledged, 10 % of them once more, some late, and all in random order.
 */
export class Load {
  refused = 0
  resent = 0
  private readonly options: LoadOptions
  private readonly dice: Dice
  private readonly agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  private readonly queue: PlannedEvent[] = []
  private acknowledgedAt: number[] = []
  private isRunning = false
  private clients: Promise<void>[] = []

  constructor(options: LoadOptions) {
    this.options = options
    this.dice = new Dice(options.seed + 1)
  }

  start(): void {
    this.isRunning = true
    this.clients = [this.plan(), ...Array.from({ length: CLIENTS }, (_, i) => this.client(i))]
  }

  /** Resolves when all planned events are acknowledged. */
  async stop(): Promise<void> {
    this.isRunning = false
    await Promise.all(this.clients)
    this.agent.destroy()
  }

  /** Adds an event that a reader saw to the planned ones. */
  add(event: PlannedEvent): void {
    this.options.log.set(event.eventId, false)
    this.insert(event)
  }

  acknowledged(): number {
    let count = 0
    for (const isAcknowledged of this.options.log.values()) if (isAcknowledged) count++
    return count
  }

  /** Events acknowledged within the last second. */
  ratePerSecond(): number {
    const since = performance.now() - RATE_SECONDS * 1_000
    while (this.acknowledgedAt.length > 0 && this.acknowledgedAt[0]! < since) {
      this.acknowledgedAt.shift()
    }
    return this.acknowledgedAt.length / RATE_SECONDS
  }

  /** Resets the rate, because the rate before a kill says nothing about the time after it. */
  forgetRate(): void {
    this.acknowledgedAt = []
  }

  /** Plans as many events as the rate requires, with some repeats at random places in the queue. */
  private async plan(): Promise<void> {
    const { market, eventsPerSecond } = this.options
    const start = performance.now()
    for (let planned = 0; this.isRunning;) {
      const due = ((performance.now() - start) / 1_000) * eventsPerSecond
      while (planned < due && this.queue.length < QUEUE_MAX) {
        for (const event of market.next()) {
          this.add(event)
          planned++
        }
      }
      planned = Math.max(planned, due - eventsPerSecond)
      await pause(5)
    }
  }

  private insert(event: PlannedEvent): void {
    const at = this.dice.below(this.queue.length + 1)
    const [moved] = this.queue.splice(at, 1, event)
    if (moved) this.queue.push(moved)
  }

  private async client(index: number): Promise<void> {
    while (this.isRunning || this.queue.length > 0) {
      if (this.queue.length === 0) {
        await pause(5)
        continue
      }
      const events = this.queue.splice(-(1 + this.dice.below(BEACON_MAX)))
      const [only] = events
      const isPixel = events.length === 1 && only!.kind === 'impression' && !only!.occurredAt
      await (isPixel ? this.sendPixel(index, only!) : this.sendBeacon(index, events))
    }
  }

  /** An event without an answer goes to another node. */
  private target(client: number, tries: number): string {
    const { targets } = this.options
    return targets[(client + tries) % targets.length]!
  }

  private async sendPixel(client: number, event: PlannedEvent): Promise<void> {
    for (let tries = 0; ; tries++) {
      const { status } = await this.send(`${this.target(client, tries)}/t/i/${event.token}`)
      if (status === 200) return this.acknowledge([event])
      await this.wait()
    }
  }

  private async sendBeacon(client: number, events: readonly PlannedEvent[]): Promise<void> {
    let left = events
    for (let tries = 0; left.length > 0; tries++) {
      const body = JSON.stringify({
        events: left.map(({ kind, token, occurredAt }) => ({ kind, token, occurredAt })),
      })
      const { text } = await this.send(`${this.target(client, tries)}/t/e`, body)
      const results = verdictsIn(text)
      const isDurable = (_: unknown, i: number) => results[i] === 'accepted'
      this.acknowledge(left.filter(isDurable))
      left = left.filter((event, i) => !isDurable(event, i))
      if (left.length > 0) await this.wait()
    }
  }

  private acknowledge(events: readonly PlannedEvent[]): void {
    for (const event of events) {
      if (this.options.log.get(event.eventId)) continue
      this.options.log.set(event.eventId, true)
      this.options.acknowledged?.(event.eventId)
      this.acknowledgedAt.push(performance.now())
      if (this.isRunning && this.dice.random(REPEAT_SHARE)) this.insert(event)
    }
  }

  private async wait(): Promise<void> {
    this.resent++
    await pause(RETRY_MS)
  }

  private async send(url: string, body?: string): Promise<Answer> {
    const answer = await sendOnce(this.agent, url, body)
    if (answer.status === 503) this.refused++
    return answer
  }
}

export interface Answer {
  readonly status: number
  readonly text: string
}

/** Any error counts as no answer: status 0. */
export function sendOnce(agent: Agent, url: string, body?: string): Promise<Answer> {
  return new Promise((resolve) => {
    const none = () => resolve({ status: 0, text: '' })
    const options = {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'user-agent': USER_AGENT, ...(body && { 'content-type': 'application/json' }) },
      timeout: ANSWER_MS_MAX,
    }
    const sent = request(url, options, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => (text += chunk))
      answer.on('error', none)
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    sent.on('timeout', () => sent.destroy())
    sent.on('error', none)
    sent.end(body)
  })
}

function verdictsIn(text: string): string[] {
  try {
    const { results } = JSON.parse(text) as { results: { verdict: string }[] }
    return results.map(({ verdict }) => verdict)
  } catch {
    return []
  }
}
