import * as contract from '@placard/contract/tracking'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { addLeanRoute } from '../../../platform/http/fast-lane/fast-lane.ts'
import type { Http } from '../../../platform/http/server.ts'
import { Problem } from '../../../platform/problem.ts'
import { redirectUrl } from '../links/landing-url.ts'
import { trackingProblems } from '../problems.ts'
import { FRESH, GIF, PUBLIC } from './public-replies.ts'
import { type Outcome, type Sent, trackToken, type TrackingDeps } from './track.ts'
import { seedRoutes } from './routes-by-name.ts'

/** The public routes that receive events. Register them without a prefix. */
export function trackingRoutes(http: Http, deps: TrackingDeps): void {
  acceptBeacons(http)
  pixelRoute(http, deps)
  clickRoute(http, deps)
  beaconRoute(http, deps)
  seedRoutes(http, deps)
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
      summary: 'Count an impression by its sealed link',
      produces: ['image/gif'],
      response: { 200: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) },
    },
    headers: FRESH,
    contentType: 'image/gif',
    answer(request, send) {
      const token = request.params['token']!
      const told = { kind: 'impression', token, pageUrl: request.headers.referer } as const
      const outcome = trackToken(deps, request, told)
      const tell = (outcome: Outcome) => {
        refuseForged(outcome)
        send(200, GIF)
      }
      return outcome instanceof Promise ? outcome.then(tell) : tell(outcome)
    },
  })
  http.head('/t/i/:token', { config: PUBLIC, schema: { hide: true } }, (_request, reply) =>
    reply.headers(FRESH).type('image/gif').send(),
  )
}

const pageOf = ({ headers }: Sent) => ({ pageUrl: headers.referer })

function refuseForged(outcome: Outcome): void {
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
        summary: 'Count a click by its sealed link and go to the destination of the ad',
        response: { 302: Type.Null() },
      },
    },
    async (request, reply) => {
      const { token } = request.params
      const url = await landingOf(deps, token)
      const told = { kind: 'click', token, otherUrl: url, ...pageOf(request) } as const
      const outcome = await trackToken(deps, request, told)
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
  const url =
    destination &&
    redirectUrl(
      { ...destination, macros: { ...destination.macros, clickToken: token } },
      deps.linkSchemes,
    )
  if (url === undefined) {
    throw new Problem(trackingProblems.destinationUnknown, 'There is nowhere to go.')
  }
  return url
}

const VERDICTS = { settled: 'accepted', spooled: 'accepted' } as const

function beaconRoute(http: Http, deps: TrackingDeps): void {
  http.post(
    '/t/e',
    {
      config: PUBLIC,
      schema: {
        operationId: 'trackEvents',
        summary: 'Count up to 50 events by their sealed links, each with its own verdict',
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
        verdict: outcome === 'settled' || outcome === 'spooled' ? VERDICTS[outcome] : outcome,
      }))
      const status = outcomes.includes('refused') ? 503 : 202
      return reply.headers(FRESH).code(status).send({ results })
    },
  )
}

async function trackBeaconEvent(
  deps: TrackingDeps,
  request: Sent,
  event: unknown,
): Promise<Outcome | 'malformed'> {
  if (!Value.Check(contract.BeaconEvent, event)) return 'malformed'
  if (event.occurredAt !== undefined && Number.isNaN(Date.parse(event.occurredAt)))
    return 'malformed'
  const { referrerUrl, ...told } = event
  return trackToken(deps, request, { ...pageOf(request), ...told, otherUrl: referrerUrl })
}
