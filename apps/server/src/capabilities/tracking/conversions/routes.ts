import * as contract from '@placard/contract/tracking'
import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { callerOf } from '../../../platform/http/access.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import type { Http } from '../../../platform/http/server.ts'
import { Problem } from '../../../platform/problem.ts'
import type { Claims } from '../links/claims.ts'
import type { Conversion, ConversionWay } from './conversion.ts'
import { eventIdOf, judgeTime, unlinkedEventId, seenKeyOf, utcDayOf } from '../intake/event.ts'
import { trackingProblems } from '../problems.ts'
import { FRESH, GIF, PUBLIC } from '../intake/routes.ts'
import { isPrivate, type TrackingDeps } from '../intake/track.ts'
import { acceptConversion, type AcceptDeps } from './waiting.ts'

export interface ConversionRouteDeps
  extends AcceptDeps, Pick<TrackingDeps, 'clock' | 'sealer' | 'labelRequest' | 'readConsent'> {
  /** Finds the caller's advertiser; throws a Problem for any other. */
  getAdvertiserKey(principal: Principal, advertiserId: string): Promise<number>
  /** The reader with this id of the named publisher, or of the platform's first one. */
  userKeyOf(userId: string, publisherId: string | undefined): string
}

/** Receives conversions. Register without a prefix. */
export function conversionRoutes(http: Http, deps: ConversionRouteDeps): void {
  pixelRoute(http, deps)
  tokenRoute(http, deps)
  serverRoute(http, deps)
}

function pixelRoute(http: Http, deps: ConversionRouteDeps): void {
  http.get(
    '/t/v/:token',
    {
      config: PUBLIC,
      schema: {
        operationId: 'trackConversionPixel',
        summary: 'Record a conversion by a pixel on the page after it',
        tags: ['tracking'],
        params: contract.TrackingParams,
        querystring: contract.PixelQuery,
        response: { 200: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) },
      },
    },
    async (request, reply) => {
      const { kind = 'purchase', order, value, currency } = request.query
      const report = { kind, orderId: order, valueMicros: value, currency }
      await byToken(deps, request, { ...report, token: request.params.token, way: 'pixel' })
      return reply.headers(FRESH).type('image/gif').send(Buffer.from(GIF, 'latin1'))
    },
  )
}

function tokenRoute(http: Http, deps: ConversionRouteDeps): void {
  http.post(
    '/t/v',
    {
      config: PUBLIC,
      schema: {
        operationId: 'trackConversion',
        summary: 'Record a conversion by the click id that the landing page got',
        tags: ['tracking'],
        body: contract.TokenConversion,
        response: { 202: contract.Accepted },
      },
    },
    async (request, reply) => {
      await byToken(deps, request, { ...request.body, way: 'token' })
      return reply.code(202).send({ accepted: true })
    },
  )
}

function serverRoute(http: Http, deps: ConversionRouteDeps): void {
  http.post(
    '/api/v1/conversions',
    {
      config: { access: 'campaigns:write' },
      schema: {
        operationId: 'addConversion',
        summary: 'Record a conversion reported by the advertiser’s server',
        tags: ['tracking'],
        body: contract.ServerConversion,
        response: { 202: contract.Accepted },
      },
    },
    async (request, reply) => {
      const { body } = request
      const advertiserKey = await deps.getAdvertiserKey(callerOf(request), body.advertiserId)
      if (body.kind === 'purchase' && body.orderId === undefined) {
        throw new Problem(trackingProblems.orderMissing, 'A purchase is counted once per order.')
      }
      const userKey = deps.userKeyOf(body.userId, body.publisherId)
      const name = `conversion ${advertiserKey} ${body.kind} ${body.eventId}`
      const conversion = conversionFrom(deps, body, { name, way: 'server', advertiserKey, userKey })
      await acceptConversion(deps, { ...conversion, label: 'valid' })
      return reply.code(202).send({ accepted: true })
    },
  )
}

type ConversionFields = Omit<Static<typeof contract.TokenConversion>, 'token'>
/** What the caller reports about a conversion. */
type ConversionReport = {
  readonly [Field in keyof ConversionFields]: ConversionFields[Field] | undefined
} & Pick<ConversionFields, 'kind'>

interface Origin {
  /** Equal for every repeat. */
  readonly name: string
  readonly way: ConversionWay
  readonly advertiserKey: number
  readonly userKey: string | undefined
  readonly claims?: Claims
}

function conversionFrom(
  { clock }: ConversionRouteDeps,
  report: ConversionReport,
  { name, way, advertiserKey, userKey, claims }: Origin,
): Omit<Conversion, 'label'> {
  const nowMs = clock.now().getTime()
  const time = judgeTime(report.occurredAt ? Date.parse(report.occurredAt) : undefined, nowMs)
  if (time.verdict === 'too-old') {
    throw new Problem(trackingProblems.conversionTooOld, 'Send conversions within 24 hours.')
  }
  const baseMs = claims?.issuedAtMs ?? time.occurredAtMs
  return {
    eventId: unlinkedEventId(baseMs, name),
    seenKey: claims ? undefined : seenKeyOf(name),
    kind: report.kind,
    way,
    decisionDay: claims?.utcDay ?? utcDayOf(baseMs),
    decisionId: claims?.decisionId,
    advertiserKey,
    userKey,
    orderId: report.orderId,
    valueMicros: report.valueMicros === undefined ? undefined : BigInt(report.valueMicros),
    currency: report.currency,
    occurredAtMs: time.occurredAtMs,
    receivedAtMs: nowMs,
    clock: time.clock,
  }
}

type LinkedConversion = ConversionReport & { readonly token: string; readonly way: ConversionWay }

async function byToken(
  deps: ConversionRouteDeps,
  request: FastifyRequest,
  report: LinkedConversion,
) {
  const nowMs = deps.clock.now().getTime()
  const opened = deps.sealer.open(report.token, { purpose: 'conversion', nowMs })
  if (opened.verdict === 'forged' || opened.verdict === 'other-kind') {
    throw new Problem(trackingProblems.linkForged, 'Use the link as it was served.')
  }
  const { claims } = opened
  const label = deps.labelRequest({
    kind: 'conversion',
    userKey: `${claims.decisionId} ${claims.position}`,
    address: request.ip,
    userAgent: request.headers['user-agent'],
    sessionId: claims.deviceSessionId,
    siteKey: claims.siteKey,
    nowMs,
  })
  const conversion = conversionFrom(deps, report, {
    name: `conversion ${claims.decisionId} ${claims.position} ${report.kind} ${report.orderId ?? ''}`,
    way: report.way,
    advertiserKey: claims.winner.advertiserKey,
    userKey: isPrivate(deps, request) ? undefined : claims.userKey,
    claims,
  })
  const { decisionId, position, utcDay: decisionDay } = claims
  const shown = { decisionId, position, decisionDay }
  const click = { decisionDay, eventId: eventIdOf(decisionId, 'click', position) }
  await acceptConversion(
    deps,
    { ...conversion, click, label: opened.verdict === 'expired' ? 'expired' : label },
    shown,
  )
}
