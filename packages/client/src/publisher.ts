import { addressBytes } from './ip-address.ts'
import { writeObservation } from './write-observation.ts'

/** Sends one message. Throws unless the receiver accepted it. */
export type Transport = (message: Uint8Array, signal: AbortSignal) => Promise<void>

export interface PublisherOptions {
  readonly transport: Transport
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly waitingMax?: number
  readonly timeoutMs?: number
  /** One observation per session and address in this time. */
  readonly sampleMs?: number
  /** Messages sent at the same time. */
  readonly concurrency?: number
  /** @deprecated Use `concurrency`. */
  readonly lanes?: number
}

export interface SeenRequest {
  readonly userId: string
  readonly deviceSessionId: string
  readonly ipAddress: string
}

export interface PublisherCounts {
  attempts: number
  successes: number
  failures: number
  /** Observations dropped because the queue was full. */
  dropped: number
}

const SAMPLES_MAX = 10_000

/**
 * Reports authenticated requests to the geo profile, beside them: a failure never affects the request.
 */
export class ObservationPublisher {
  readonly counts: PublisherCounts = { attempts: 0, successes: 0, failures: 0, dropped: 0 }
  private readonly options: Required<Omit<PublisherOptions, 'lanes'>>
  private noted = new Map<string, number>()
  private notedBefore: ReadonlyMap<string, number> = new Map()
  private notedSinceMs = Number.NEGATIVE_INFINITY
  private readonly underWay = new Set<Promise<void>>()
  private waiting: (SeenRequest | undefined)[] = []
  private first = 0
  private isWoken = false
  private isStopped = false

  constructor({ lanes = 4, ...options }: PublisherOptions) {
    this.options = {
      waitingMax: 1_000,
      timeoutMs: 2_000,
      sampleMs: 60_000,
      concurrency: lanes,
      ...options,
    }
  }

  publish(request: SeenRequest): void {
    if (this.isStopped || !this.isNews(request)) return
    this.waiting.push(request)
    if (this.waiting.length - this.first > this.options.waitingMax) {
      this.take()
      this.counts.dropped++
    }
    if (this.isWoken) return
    this.isWoken = true
    setImmediate(() => {
      this.isWoken = false
      this.pump()
    })
  }

  /** Accepts no more observations and drops the queue. Resolves when no message is being sent. */
  async stop(): Promise<void> {
    this.isStopped = true
    this.counts.dropped += this.waiting.length - this.first
    this.waiting = []
    this.first = 0
    await Promise.all(this.underWay)
  }

  /** Two maps in turn: the older one is dropped as a whole, which costs nothing per observation. */
  private isNews({ deviceSessionId, ipAddress }: SeenRequest): boolean {
    const key = `${deviceSessionId} ${ipAddress}`
    const nowMs = this.options.now()
    const lastMs = this.noted.get(key) ?? this.notedBefore.get(key)
    if (lastMs !== undefined && nowMs - lastMs < this.options.sampleMs) return false
    if (this.noted.size >= SAMPLES_MAX || nowMs - this.notedSinceMs >= this.options.sampleMs) {
      this.notedBefore = this.noted
      this.noted = new Map()
      this.notedSinceMs = nowMs
    }
    this.noted.set(key, nowMs)
    return true
  }

  private pump(): void {
    while (this.underWay.size < this.options.concurrency) {
      const request = this.take()
      if (!request) return
      const sending = this.send(request).finally(() => {
        this.underWay.delete(sending)
        this.pump()
      })
      this.underWay.add(sending)
    }
  }

  /** Takes the oldest observation. Frees the front of the list in large pieces. */
  private take(): SeenRequest | undefined {
    const request = this.waiting[this.first]
    if (!request) return undefined
    this.waiting[this.first++] = undefined
    if (this.first >= this.options.waitingMax) {
      this.waiting = this.waiting.slice(this.first)
      this.first = 0
    }
    return request
  }

  private async send({ userId, deviceSessionId, ipAddress }: SeenRequest): Promise<void> {
    this.counts.attempts++
    try {
      const bytes = addressBytes(ipAddress)
      if (!bytes) throw new Error('not an IP address')
      const message = writeObservation({ userId, deviceSessionId, ipAddress: bytes })
      await this.options.transport(message, AbortSignal.timeout(this.options.timeoutMs))
      this.counts.successes++
    } catch {
      this.counts.failures++
    }
  }
}

/** Sends messages over HTTP to a geo profile in another process. */
export function httpTransport({ url, token }: { url: string; token: string }): Transport {
  const address = new URL('/internal/v1/observations', url)
  return async (message, signal) => {
    const response = await fetch(address, {
      method: 'POST',
      body: message.slice(),
      headers: { 'content-type': 'application/octet-stream', 'x-api-key': token },
      signal,
    })
    await response.body?.cancel()
    if (response.status !== 202) throw new Error(`the geo profile answered ${response.status}`)
  }
}
