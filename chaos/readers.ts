import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { Dice } from '../bench/engine/dice.ts'
import { createSealer, parseKeyRing } from '../apps/server/src/capabilities/tracking/index.ts'
import { eventIdOf } from '../apps/server/src/capabilities/tracking/intake/event.ts'
import { systemRandom } from '../apps/server/src/platform/random.ts'
import { PLACEMENT } from './catalogue.ts'
import type { Showing } from './checker.ts'
import { sendOnce } from './load.ts'
import type { PlannedEvent } from './market.ts'

export interface ReadersOptions {
  readonly seed: number
  readonly decisionsPerSecond: number
  readonly targets: readonly string[]
  readonly trackingKeys: string
  /** Reports their events until they are acknowledged. */
  report(event: PlannedEvent): void
}

interface Links {
  readonly eventToken: string
  readonly clickUrl: string
}

const CLIENTS = 24
/** Number of simultaneous readers, and of requests by each: enough to reach every cap. */
const USERS = 20
const REQUESTS_EACH = 40
/** Share of requests by earlier readers. */
const RETURNING_SHARE = 0.2
const CLICK_SHARE = 0.1
/** Share of requests that a reader sends to two nodes at once. */
const TWICE_SHARE = 0.3

/** Readers who request ads, see all of them and sometimes click. */
export class Readers {
  requested = 0
  readonly showings: Showing[] = []
  private readonly options: ReadersOptions
  private readonly dice: Dice
  private readonly agent = new Agent({ keepAlive: true, maxSockets: CLIENTS * 2 })
  private readonly sealer
  private readonly byEvent = new Map<string, Showing>()
  private isRunning = false
  private clients: Promise<void>[] = []

  constructor(options: ReadersOptions) {
    this.options = options
    this.dice = new Dice(options.seed + 2)
    this.sealer = createSealer(parseKeyRing(options.trackingKeys), systemRandom)
  }

  start(): void {
    this.isRunning = true
    this.clients = Array.from({ length: CLIENTS }, () => this.client())
  }

  async stop(): Promise<void> {
    this.isRunning = false
    await Promise.all(this.clients)
    this.agent.destroy()
  }

  acknowledged(eventId: string): void {
    const showing = this.byEvent.get(eventId)
    if (showing) showing.acknowledgedMs = performance.now()
  }

  private async client(): Promise<void> {
    const { dice, options } = this
    const waitMs = (1_000 * CLIENTS) / options.decisionsPerSecond
    while (this.isRunning) {
      const user = this.nextUser()
      const first = dice.below(options.targets.length)
      const targets = dice.random(TWICE_SHARE) ? [first, first + 1] : [first]
      await Promise.all(targets.map((target) => this.request(user, target)))
      await pause(waitMs * targets.length * (0.5 + dice.next()))
    }
  }

  private nextUser(): string {
    const newest = Math.floor(this.requested / REQUESTS_EACH) + USERS
    const back = this.dice.random(RETURNING_SHARE) ? newest : USERS
    return `reader-${newest - this.dice.below(back)}`
  }

  private async request(user: string, target: number): Promise<void> {
    const { targets } = this.options
    const startMs = performance.now()
    this.requested++
    const body = JSON.stringify({ placement: PLACEMENT, userId: user })
    const url = `${targets[target % targets.length]}/api/v1/ads/serve`
    const { status, text } = await sendOnce(this.agent, url, body)
    if (status !== 200) return
    this.see(user, JSON.parse(text) as Links, startMs)
  }

  private see(user: string, { eventToken, clickUrl }: Links, startMs: number): void {
    const opened = this.sealer.open(eventToken, { purpose: 'impression', nowMs: Date.now() })
    if (!('claims' in opened)) throw new Error(`cannot open a link: ${opened.verdict}`)
    const { decisionId, position, winner, holdId } = opened.claims
    const event = (kind: 'impression' | 'click'): PlannedEvent => ({
      kind,
      token: kind === 'click' ? clickUrl.slice(clickUrl.lastIndexOf('/') + 1) : eventToken,
      eventId: eventIdOf(decisionId, kind, position),
      occurredAt: undefined,
    })
    const impression = event('impression')
    if (holdId !== undefined) {
      const readerAndAd = `${user} ${winner.key}`
      const isHeld = holdId !== 'uncounted'
      const showing = {
        readerAndAd,
        isHeld,
        startMs,
        endMs: performance.now(),
        acknowledgedMs: undefined,
      }
      this.showings.push(showing)
      this.byEvent.set(impression.eventId, showing)
    }
    this.options.report(impression)
    if (this.dice.random(CLICK_SHARE)) this.options.report(event('click'))
  }
}
