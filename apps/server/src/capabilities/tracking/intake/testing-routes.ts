import { createConsentReader } from '../../consent/index.ts'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { systemRandom } from '../../../platform/random.ts'
import { createHttp } from '../../../platform/http/server.ts'
import { fixedClock } from '../../../testing/fixed.ts'
import type { Claims, TokenKind } from '../links/claims.ts'
import type { TrackedEvent } from './event.ts'
import type { Receipt } from './ingest.ts'
import { parseKeyRing } from '../links/key-ring.ts'
import { trackingRoutes } from './routes.ts'
import { progressRoutes } from './routes-progress.ts'
import { createRequestLabeller } from './labels.ts'
import type { Limits } from '../rates/limits.ts'
import { createSealer } from '../links/token.ts'
import type { AuctionMatch, AuctionQuery, TooOld, TrackingDeps } from './track.ts'

const sealer = createSealer(parseKeyRing(`1:${'s'.repeat(40)}`), systemRandom)
export const NOW = '2026-06-15T12:00:00.000Z'
export const claims: Claims = {
  kind: 'impression',
  decisionId: '0197734c-1a00-7abc-8def-0123456789ab',
  position: 0,
  utcDay: 20_619,
  budgetDay: 20_620,
  winner: { source: 'ad', key: 7, bannerKey: 8, campaignKey: 9, advertiserKey: 10 },
  placementKey: 11,
  siteKey: 12,
  userKey: 'a-user',
  pricing: 'cpm',
  chargeMicros: 2_500_000,
  reservationId: 'r-1',
  holdId: 'h-1',
  issuedAtMs: Date.parse(NOW),
}
export const seal = (kind: TokenKind, overrides: Partial<Claims> = {}) =>
  sealer.seal({ ...claims, kind, ...overrides })
export const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' }
const MANY: Limits = [1_000, 1_000, 1_000, 1_000]

/** The intake's routes, on an ingest that records what it gets. */
export async function aServer(
  overrides: Partial<Pick<TrackingDeps, 'destinationOf' | 'vouchesFor'>> & {
    receipt?: Receipt
  } = {},
) {
  const events: TrackedEvent[] = []
  const tooOld: TooOld[] = []
  const queries: AuctionQuery[] = []
  const match: { answer: AuctionMatch } = { answer: { verdict: 'unknown' } }
  let clicksLost = 0
  const http = await createHttp({
    log: pino({ level: 'silent' }),
    ids: { next: () => 'id' },
    trustedProxies: [],
    permitsPerMinute: 1_000_000,
    identify: async () => undefined,
  })
  const deps: TrackingDeps = {
    clock: fixedClock(NOW),
    sealer,
    readConsent: createConsentReader(),
    ingest: {
      async accept(event) {
        events.push(event)
        return overrides.receipt ?? 'settled'
      },
    },
    labelRequest: createRequestLabeller({
      limits: { reader: MANY, device: MANY, address: MANY, site: MANY },
      isDataCentre: () => false,
      isBlockedSession: () => false,
    }),
    destinationOf: async () => ({
      landingUrl: 'https://shop.example/autumn?a=1&utm_source=placard#top',
      macros: {},
    }),
    async findAuction(query) {
      queries.push(query)
      return match.answer
    },
    listStoredTimes: async () => new Map(),
    quarantine: async (event) => void tooOld.push(event),
    clickLost: () => void clicksLost++,
    ...overrides,
  }
  await http.register(async (routes) => {
    trackingRoutes(routes, deps)
    progressRoutes(routes, deps)
  })
  onTestFinished(() => http.close())
  const get = (url: string, headers: Record<string, string> = BROWSER) =>
    http.inject({ method: 'GET', url, headers })
  const post = (url: string, payload: object, headers: Record<string, string> = BROWSER) =>
    http.inject({ method: 'POST', url, payload, headers })
  return { http, get, post, events, tooOld, queries, match, clicksLost: () => clicksLost }
}
