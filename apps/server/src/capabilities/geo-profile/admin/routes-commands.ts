import * as contract from '@placard/contract/geo-profile'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Http } from '../../../platform/http/server.ts'
import { actorOf } from '../../../platform/resources/index.ts'
import { decideBlock } from '../guard/operations-blocks.ts'
import {
  abandonVersion,
  applyDeclaredCountry,
  retryVersion,
} from '../declared/operations-declared.ts'
import type { Grounds } from '../review/operations-decisions.ts'
import { dismissReview } from '../review/operations-review.ts'
import { presentBlock, presentReview, presentVersion } from './present.ts'
import { findReview } from './reads.ts'
import { geoActorOf, type GeoRouteDeps, requireUser, tags } from './routes-reads.ts'

export function commandRoutes(http: Http, deps: GeoRouteDeps): void {
  applyRoute(http, deps)
  versionRoutes(http, deps)
  dismissRoute(http, deps)
  blockRoutes(http, deps)
}

function applyRoute(http: Http, deps: GeoRouteDeps): void {
  http.post(
    '/users/:userId/declared-country',
    {
      config: { access: 'geo:write' },
      schema: {
        operationId: 'applyDeclaredCountry',
        summary: 'Apply an approved change of the declared country',
        description:
          'Succeeds once the User Service has stored it. Otherwise answers 503, and the version can be retried.',
        tags,
        params: contract.GeoUserParams,
        body: contract.ApplyDeclaredCountry,
        response: { 200: contract.DeclaredCountryVersion },
      },
    },
    async (request) => {
      const { country, reason_code, actor, comment, idempotency_key } = request.body
      const version = await applyDeclaredCountry(deps, {
        userId: request.params.userId,
        country,
        reasonCode: reason_code,
        actor: geoActorOf(request, actor),
        caller: actorOf(request),
        comment: comment ?? null,
        idempotencyKey: idempotency_key ?? null,
      })
      return presentVersion(version)
    },
  )
}

function versionRoutes(http: Http, deps: GeoRouteDeps): void {
  const ways = { retry: retryVersion, abandon: abandonVersion }
  for (const [way, move] of Object.entries(ways)) {
    http.post(
      `/users/:userId/declared-country/:version/${way}`,
      {
        config: { access: 'geo:write' },
        schema: {
          operationId: `${way}DeclaredCountry`,
          summary:
            way === 'retry'
              ? 'Retry an open change'
              : 'Abandon an open change and restore the old value',
          description: 'A finished version is returned unchanged.',
          tags,
          params: contract.VersionParams,
          response: { 200: contract.DeclaredCountryVersion },
        },
      },
      async (request) => {
        const { userId, version: versionNo } = request.params
        return presentVersion(await move(deps, { userId, versionNo }, actorOf(request)))
      },
    )
  }
}

function dismissRoute(http: Http, deps: GeoRouteDeps): void {
  http.post(
    '/users/:userId/review/dismiss',
    {
      config: { access: 'geo:write' },
      schema: {
        operationId: 'dismissReview',
        summary: 'Confirm the declared country. No review is recommended for 30 days',
        tags,
        params: contract.GeoUserParams,
        body: contract.DecisionGrounds,
        response: { 200: contract.ReviewState },
      },
    },
    async (request) => {
      const { userId } = request.params
      await requireUser(deps, userId)
      await dismissReview(deps, userId, groundsOf(request))
      return presentReview(await findReview(deps.db, userId))
    },
  )
}

const VERDICTS = {
  block: 'Block a suspicious session',
  dismiss: 'Dismiss a suspicious session',
  unblock: 'Unblock a session',
} as const

function blockRoutes(http: Http, deps: GeoRouteDeps): void {
  for (const verdict of ['block', 'dismiss', 'unblock'] as const) {
    http.post(
      `/block-actions/:blockActionId/${verdict}`,
      {
        config: { access: 'geo:write' },
        schema: {
          operationId: `${verdict}SuspiciousSession`,
          summary: VERDICTS[verdict],
          tags,
          params: contract.BlockActionParams,
          body: contract.DecisionGrounds,
          response: { 200: contract.BlockAction },
        },
      },
      async (request) => {
        const { blockActionId: publicId } = request.params
        const grounds = groundsOf(request)
        return presentBlock(await decideBlock(deps, { publicId, verdict, grounds }))
      },
    )
  }
}

function groundsOf(request: FastifyRequest): Grounds {
  const { reason_code, comment, actor } = request.body as Static<typeof contract.DecisionGrounds>
  return {
    reasonCode: reason_code,
    comment: comment ?? null,
    actor: geoActorOf(request, actor),
    caller: actorOf(request),
  }
}
