import { PLACEMENTS, PUBLISHERS } from '../data/sellers.ts'
import type { Random } from '../../../server/src/platform/random.ts'
import type { Timers } from '../../../server/src/platform/background/timers.ts'

export interface TrafficDeps {
  /** Address of the API. */
  readonly address: string
  readonly visitsPerSecond: number
  /** A publisher's API key, because all these readers come from one address. */
  readonly key: string
  readonly random: Random
  readonly timers: Timers
  onError(error: unknown): void
}

export interface Traffic {
  stop(): void
}

const BROWSERS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
] as const
const READERS = 400
/** Higher rates than in reality, so that there is something to see. */
const SEES = 0.95
const LOOKS = 0.6
const CLICKS = 0.06
const BUYS = 0.25
const LOOK_MS = { min: 1_200, more: 3_000 }

/** Simulated readers who use the public API, so that the demo has spend. */
export function startTraffic(deps: TrafficDeps): Traffic {
  const { visitsPerSecond, timers, onError } = deps
  const abort = new AbortController()
  const cancels = new Set<() => void>()
  const later = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = timers.after(ms, () => {
        cancels.delete(cancel)
        resolve()
      })
      cancels.add(cancel)
    })
  const comeAndGo = async () => {
    while (!abort.signal.aborted) {
      await later(1_000 / visitsPerSecond)
      void visit({ ...deps, signal: abort.signal, later }).catch((error: unknown) => {
        if (!abort.signal.aborted) onError(error)
      })
    }
  }
  void comeAndGo()
  return {
    stop() {
      abort.abort()
      for (const cancel of cancels) cancel()
    },
  }
}

interface Visit extends TrafficDeps {
  readonly signal: AbortSignal
  later(ms: number): Promise<void>
}

interface Purchase {
  readonly clickId: string
  readonly currency: string
}

interface Shown {
  readonly clickUrl: string
  readonly eventToken: string
}

const DEMO_PLACEMENTS = Object.entries(PLACEMENTS)

/** The demo's own placements. Placements that people create get real readers only. */
export function drawPlacement(random: Random): {
  readonly slug: string
  readonly currency: string
} {
  const [slug, { publisher }] = DEMO_PLACEMENTS[Math.floor(random.draw() * DEMO_PLACEMENTS.length)]!
  return { slug, currency: PUBLISHERS[publisher].currency }
}

async function visit(deps: Visit): Promise<void> {
  const { address, random, signal, later } = deps
  const reader = Math.floor(random.draw() * READERS)
  const userAgent = BROWSERS[reader % BROWSERS.length]!
  const headers = { 'user-agent': userAgent, 'x-api-key': deps.key }
  const send = (path: string, body: object) =>
    fetch(address + path, {
      method: 'POST',
      signal,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const { slug, currency } = drawPlacement(random)
  const answer = await send('/api/v1/banners/serve', { slugs: [slug], userId: `reader-${reader}` })
  const { placements } = (await answer.json()) as { placements: { banners: Shown[] }[] }

  for (const { clickUrl, eventToken } of placements[0]?.banners ?? []) {
    if (random.draw() > SEES) continue
    await drop(send('/t/e', { events: [{ token: eventToken, kind: 'impression', userAgent }] }))
    await later(LOOK_MS.min + random.draw() * LOOK_MS.more)
    if (random.draw() > LOOKS) continue
    await drop(send('/t/e', { events: [{ token: eventToken, kind: 'view', userAgent }] }))
    if (random.draw() > CLICKS) continue
    const landing = await fetch(clickUrl, { signal, headers, redirect: 'manual' })
    await landing.body?.cancel()
    const clickId = clickIdIn(landing.headers.get('location'))
    if (clickId === undefined || random.draw() > BUYS) continue
    await drop(send('/t/v', purchase({ clickId, currency }, random)))
  }
}

/** The click id in the landing address. */
const clickIdIn = (location: string | null) =>
  (location && URL.parse(location)?.searchParams.get('placard_click')) || undefined

const purchase = ({ clickId, currency }: Purchase, random: Random) => ({
  token: clickId,
  kind: 'purchase',
  orderId: `demo-${Buffer.from(random.bytes(9)).toString('base64url')}`,
  valueMicros: String(5_000_000 + Math.floor(random.draw() * 95) * 1_000_000),
  currency,
})

/** An unread body would keep its connection open. */
async function drop(response: Promise<Response>): Promise<void> {
  await (await response).body?.cancel()
}
