import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { Dice } from '../bench/engine/dice.ts'
import type { Market, PlannedEvent } from './market.ts'

export interface LoadOptions {
  readonly market: Market
  readonly seed: number
  readonly eventsPerSecond: number
  /** Where the events go, in turn. */
  readonly targets: readonly string[]
  /** Where each event is noted: true once it is acknowledged. */
  readonly log: Map<string, boolean>
  acknowledged?(eventId: string): void
}

const CLIENTS = 64
const BEACON_MAX = 10
const AGAIN_SHARE = 0.1
const RETRY_MS = 50
/** Then it is sent elsewhere, and may arrive twice. */
const ANSWER_MS_MAX = 6_000
const QUEUE_MAX = 2_000
const RATE_SECONDS = 1
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/**
 * Readers who send each event until it is acknowledged, a tenth of them once more, some late and all in
 * a shuffled order.
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

  /** Resolves when everything that was planned is acknowledged. */
  async stop(): Promise<void> {
    this.isRunning = false
    await Promise.all(this.clients)
    this.agent.destroy()
  }

  /** What somebody saw happen, besides what is planned. */
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

  /** What was acknowledged before a kill says nothing about the time after it. */
  forgetRate(): void {
    this.acknowledgedAt = []
  }

  /** Plans as many as the rate asks for; some repeats among them, at a random place in the queue. */
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

  /** Who got no answer goes elsewhere. */
  private target(client: number, tries: number): string {
    const { targets } = this.options
    return targets[(client + tries) % targets.length]!
  }

  private async sendPixel(client: number, event: PlannedEvent): Promise<void> {
    for (let tries = 0; ; tries++) {
      const { status } = await this.ask(`${this.target(client, tries)}/t/i/${event.token}`)
      if (status === 200) return this.note([event])
      await this.wait()
    }
  }

  private async sendBeacon(client: number, events: readonly PlannedEvent[]): Promise<void> {
    let left = events
    for (let tries = 0; left.length > 0; tries++) {
      const body = JSON.stringify({
        events: left.map(({ kind, token, occurredAt }) => ({ kind, token, occurredAt })),
      })
      const { text } = await this.ask(`${this.target(client, tries)}/t/e`, body)
      const results = verdictsIn(text)
      const isSafe = (_: unknown, i: number) => results[i] === 'accepted'
      this.note(left.filter(isSafe))
      left = left.filter((event, i) => !isSafe(event, i))
      if (left.length > 0) await this.wait()
    }
  }

  private note(events: readonly PlannedEvent[]): void {
    for (const event of events) {
      if (this.options.log.get(event.eventId)) continue
      this.options.log.set(event.eventId, true)
      this.options.acknowledged?.(event.eventId)
      this.acknowledgedAt.push(performance.now())
      if (this.isRunning && this.dice.random(AGAIN_SHARE)) this.insert(event)
    }
  }

  private async wait(): Promise<void> {
    this.resent++
    await pause(RETRY_MS)
  }

  private async ask(url: string, body?: string): Promise<Answer> {
    const answer = await askOnce(this.agent, url, body)
    if (answer.status === 503) this.refused++
    return answer
  }
}

export interface Answer {
  readonly status: number
  readonly text: string
}

/** Whatever goes wrong is no answer: status 0. */
export function askOnce(agent: Agent, url: string, body?: string): Promise<Answer> {
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
