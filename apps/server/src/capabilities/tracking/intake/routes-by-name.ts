import * as contract from '@placard/contract/tracking'
import type { FastifyRequest } from 'fastify'
import type { Http } from '../../../platform/http/server.ts'
import { Problem } from '../../../platform/problem.ts'
import type { Static } from 'typebox'
import { trackingProblems } from '../problems.ts'
import { PUBLIC } from './public-replies.ts'
import { type LooseTold, trackLoose, trackToken, type TrackingDeps } from './track.ts'

const KINDS = ['impression', 'click'] as const
type Kind = (typeof KINDS)[number]

/**
 * Events that name an ad or banner instead of a tracking link, from servers and older tags. All of
 * them answer 202.
 */
export function seedRoutes(http: Http, deps: TrackingDeps): void {
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
      await track(deps, request, { told: adEvent(request.body, kind), token: request.body.token })
      return reply.code(202).send({ accepted: true })
    },
  )
}

const adEvent = (body: Static<typeof contract.AdEvent>, kind: Kind): LooseTold => ({
  kind,
  occurredAt: body.timestamp,
  ownId: body.eventId,
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
      await track(deps, request, {
        told: bannerEvent(request.body, kind),
        token: request.body.token,
      })
      return reply.code(202).send({ accepted: true })
    },
  )
}

const bannerEvent = (body: Static<typeof contract.BannerEvent>, kind: Kind): LooseTold => ({
  kind,
  occurredAt: body.occurredAt,
  pageUrl: body.pageUrl,
  otherUrl: kind === 'click' ? body.destinationUrl : body.referrerUrl,
  sessionId: body.sessionId,
  ownId: body.correlationId,
  query: {
    bannerId: body.bannerPublicId,
    placementSlug: body.placementSlug,
    campaignId: body.campaignPublicId ?? undefined,
    userId: body.userId,
  },
})

interface SeedEvent {
  readonly told: LooseTold
  readonly token: string | undefined
}

async function track(deps: TrackingDeps, request: FastifyRequest, { told, token }: SeedEvent) {
  const outcome = token
    ? await trackToken(deps, request, { ...told, token })
    : await trackLoose(deps, request, told)
  if (outcome === 'refused') {
    throw new Problem(trackingProblems.eventsRefused, 'Nothing was counted.')
  }
}
