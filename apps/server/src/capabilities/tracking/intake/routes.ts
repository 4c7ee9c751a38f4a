import * as contract from '@placard/contract/tracking'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { addLeanRoute } from '../../../platform/http/fast-lane/fast-lane.ts'
import type { Http } from '../../../platform/http/server.ts'
import { Problem } from '../../../platform/problem.ts'
import type { Claims } from '../links/claims.ts'
import { redirectUrl, withClickId } from '../links/landing-url.ts'
import { trackingProblems } from '../problems.ts'
import { type Outcome, trackToken, type TrackingDeps, type TrackingRequest } from './track.ts'
import { trackUnlinked, type UnlinkedReport } from './track-unlinked.ts'

/** Open to every origin, and tolerant of fields that a newer tag sends. */
export const PUBLIC = {
  access: 'public',
  crossOrigin: true,
  ignoresUnknownFields: true,
  knowsCallers: true,
} as const

/** A transparent GIF of 1 × 1 pixel, one character per byte. */
export const GIF = atob('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7')

/** Never cached, and allowed on pages of any origin. */
export const FRESH = {
  'cache-control': 'no-store, must-revalidate',
  expires: '0',
  'cross-origin-resource-policy': 'cross-origin',
}

/** The public routes that receive events. Register them without a prefix. */
export function trackingRoutes(http: Http, deps: TrackingDeps): void {
  acceptBeacons(http)
  pixelRoute(http, deps)
  clickRoute(http, deps)
  beaconRoute(http, deps)
  namedEventRoutes(http, deps)
}

/** `sendBeacon` sends plain text, which needs no CORS preflight request. */
function acceptBeacons(http: Http): void {
  http.addContentTypeParser(
    'text/plain',
    { parseAs: 'string' },
    http.getDefaultJsonParser('error', 'error'),
  )
}

function pixelRoute(http: Http, deps: TrackingDeps): void {
  addLeanRoute(http, {
    method: 'GET',
    url: '/t/i/:token',
    config: PUBLIC,
    schema: {
      params: contract.TrackingParams,
      tags: ['tracking'],
      operationId: 'trackImpression',
      summary: 'Count an impression by its tracking link',
      produces: ['image/gif'],
      response: { 200: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) },
    },
    headers: FRESH,
    contentType: 'image/gif',
    answer(request, send) {
      const token = request.params['token']!
      const report = { kind: 'impression', token, pageUrl: request.headers.referer } as const
      const outcome = trackToken(deps, request, report)
      const reply = (outcome: Outcome) => {
        refuseForged(outcome)
        send(200, GIF)
      }
      return outcome instanceof Promise ? outcome.then(reply) : reply(outcome)
    },
  })
  http.head('/t/i/:token', { config: PUBLIC, schema: { hide: true } }, (_request, reply) =>
    reply.headers(FRESH).type('image/gif').send(),
  )
}

export const pageOf = ({ headers }: TrackingRequest) => ({ pageUrl: headers.referer })

export function refuseForged(outcome: Outcome): void {
  if (outcome === 'forged' || outcome === 'other-kind') {
    throw new Problem(trackingProblems.linkForged, 'Use the link as it was served.')
  }
  if (outcome === 'refused') {
    throw new Problem(trackingProblems.eventsRefused, 'Nothing was counted.')
  }
}

function clickRoute(http: Http, deps: TrackingDeps): void {
  http.get(
    '/t/c/:token',
    {
      config: PUBLIC,
      schema: {
        params: contract.TrackingParams,
        tags: ['tracking'],
        operationId: 'trackClick',
        summary: 'Count a click by its tracking link and redirect to the landing page',
        response: { 302: Type.Null() },
      },
    },
    async (request, reply) => {
      const { token } = request.params
      const url = await landingOf(deps, token)
      const report = { kind: 'click', token, otherUrl: url, ...pageOf(request) } as const
      const outcome = await trackToken(deps, request, report)
      if (outcome === 'refused') deps.clickLost?.()
      return reply
        .headers({ ...FRESH, 'referrer-policy': 'no-referrer-when-downgrade' })
        .redirect(url, 302)
    },
  )
  http.head(
    '/t/c/:token',
    { config: PUBLIC, schema: { hide: true, params: contract.TrackingParams } },
    async (request, reply) =>
      reply.headers(FRESH).redirect(await landingOf(deps, request.params.token), 302),
  )
}

async function landingOf(deps: TrackingDeps, token: string): Promise<string> {
  const opened = deps.sealer.open(token, { purpose: 'click', nowMs: deps.clock.now().getTime() })
  if (opened.verdict === 'forged' || opened.verdict === 'other-kind') {
    throw new Problem(trackingProblems.linkForged, 'Use the link as it was served.')
  }
  const destination = await deps.destinationOf(opened.claims)
  const clickId = opened.verdict === 'good' ? clickIdOf(deps, opened.claims) : ''
  const url =
    destination &&
    redirectUrl(
      {
        landingUrl: withClickId(destination.landingUrl, deps.clickIdParameter, clickId),
        macros: { ...destination.macros, clickId, clickToken: clickId },
      },
      deps.linkSchemes,
    )
  if (url === undefined) {
    throw new Problem(trackingProblems.destinationUnknown, 'There is nowhere to go.')
  }
  return url
}

/** The id that conversions refer to. Only the landing page of the click gets it. */
const clickIdOf = ({ sealer, clock }: TrackingDeps, claims: Claims): string =>
  sealer.seal({
    ...claims,
    kind: 'conversion',
    reservationId: undefined,
    holdId: undefined,
    issuedAtMs: clock.now().getTime(),
  })

const VERDICTS = { settled: 'accepted', spooled: 'accepted', uncounted: 'accepted' } as const
const isAccepted = (outcome: Outcome | 'malformed'): outcome is keyof typeof VERDICTS =>
  outcome in VERDICTS

function beaconRoute(http: Http, deps: TrackingDeps): void {
  http.post(
    '/t/e',
    {
      config: PUBLIC,
      schema: {
        operationId: 'trackEvents',
        summary: 'Count up to 50 events by their tracking links, each with its own verdict',
        tags: ['tracking'],
        body: contract.Beacon,
        response: { 202: contract.BeaconAnswer, 503: contract.BeaconAnswer },
      },
    },
    async (request, reply) => {
      const outcomes = await Promise.all(
        request.body.events.map((event) => trackBeaconEvent(deps, request, event)),
      )
      const results = outcomes.map((outcome) => ({
        verdict: isAccepted(outcome) ? VERDICTS[outcome] : outcome,
      }))
      const status = outcomes.includes('refused') ? 503 : 202
      return reply.headers(FRESH).code(status).send({ results })
    },
  )
}

async function trackBeaconEvent(
  deps: TrackingDeps,
  request: TrackingRequest,
  event: unknown,
): Promise<Outcome | 'malformed'> {
  if (!Value.Check(contract.BeaconEvent, event)) return 'malformed'
  if (event.occurredAt !== undefined && Number.isNaN(Date.parse(event.occurredAt)))
    return 'malformed'
  if (event.kind === 'progress' && event.name === undefined) return 'malformed'
  const { referrerUrl, ...report } = event
  return trackToken(deps, request, { ...pageOf(request), ...report, otherUrl: referrerUrl })
}

const KINDS = ['impression', 'click'] as const
type Kind = (typeof KINDS)[number]

/**
 * Events that name an ad or banner instead of a tracking link, from servers and older tags. All of
 * them answer 202.
 */
function namedEventRoutes(http: Http, deps: TrackingDeps): void {
  for (const kind of KINDS) {
    adEventRoute(http, deps, kind)
    bannerEventRoute(http, deps, kind)
  }
}

function adEventRoute(http: Http, deps: TrackingDeps, kind: Kind): void {
  http.post(
    `/api/v1/ads/events/${kind}`,
    {
      config: PUBLIC,
      schema: {
        operationId: kind === 'click' ? 'trackAdClick' : 'trackAdImpression',
        summary: `Count ${kind === 'click' ? 'a click on' : 'an impression of'} an ad by ad and user`,
        tags: ['tracking'],
        body: contract.AdEvent,
        response: { 202: contract.Accepted },
      },
    },
    async (request, reply) => {
      const { token, eventToken = token } = request.body
      await track(deps, request, { report: adEvent(request.body, kind), token: eventToken })
      return reply.code(202).send({ accepted: true })
    },
  )
}

const adEvent = (body: Static<typeof contract.AdEvent>, kind: Kind): UnlinkedReport => ({
  kind,
  occurredAt: body.timestamp,
  ownId: body.eventId,
  userAgent: body.userAgent,
  ip: body.ip,
  query: { adId: body.adId, userId: body.userId },
})

function bannerEventRoute(http: Http, deps: TrackingDeps, kind: Kind): void {
  http.post(
    `/api/v1/banners/events/${kind}`,
    {
      config: PUBLIC,
      schema: {
        operationId: kind === 'click' ? 'trackBannerClick' : 'trackBannerImpression',
        summary: `Count ${kind === 'click' ? 'a click on' : 'an impression of'} a banner on a placement`,
        tags: ['tracking'],
        body: contract.BannerEvent,
        response: { 202: contract.Accepted },
      },
    },
    async (request, reply) => {
      const { token, eventToken = token } = request.body
      await track(deps, request, { report: bannerEvent(request.body, kind), token: eventToken })
      return reply.code(202).send({ accepted: true })
    },
  )
}

const bannerEvent = (body: Static<typeof contract.BannerEvent>, kind: Kind): UnlinkedReport => ({
  kind,
  occurredAt: body.occurredAt,
  pageUrl: body.pageUrl,
  otherUrl: kind === 'click' ? body.destinationUrl : body.referrerUrl,
  sessionId: body.sessionId,
  deviceType: body.deviceType,
  countryCode: body.countryCode,
  userAgent: body.userAgent,
  ip: body.ip,
  ownId: body.correlationId,
  query: {
    bannerId: body.bannerPublicId,
    placementSlug: body.placementSlug,
    placementId: body.placementPublicId,
    sessionId: body.sessionId,
    campaignId: body.campaignPublicId ?? undefined,
    userId: body.userId,
  },
})

interface NamedEvent {
  readonly report: UnlinkedReport
  readonly token: string | undefined
}

async function track(deps: TrackingDeps, request: FastifyRequest, { report, token }: NamedEvent) {
  const outcome = token
    ? await trackToken(deps, request, {
        ...report,
        token,
        purpose: report.kind === 'click' ? 'named-click' : report.kind,
      })
    : await trackUnlinked(deps, request, report)
  if (outcome === 'refused') {
    throw new Problem(trackingProblems.eventsRefused, 'Nothing was counted.')
  }
}
