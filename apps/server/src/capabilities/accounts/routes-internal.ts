import * as contract from '@placard/contract/internal'
import type { Static } from 'typebox'
import { runCommand } from '../../platform/http/command.ts'
import type { Http } from '../../platform/http/server.ts'
import { actorOf, getRow, type ResourceDeps, type Values } from '../../platform/resources/index.ts'
import { endSession } from './sessions/operations.ts'
import { syncDeclaredCountry } from './users/operations.ts'
import { deviceSession, user } from './resources.ts'
import { judgeSession } from './sessions/session.ts'
import { listSessionsOfUser } from './store.ts'

/** The built-in User and Auth/Session services, as the geo profile calls them. */
export function internalRoutes(http: Http, deps: ResourceDeps): void {
  readRoutes(http, deps)
  endRoutes(http, deps)
  declaredCountryRoute(http, deps)
}

function readRoutes(http: Http, { db, clock }: ResourceDeps): void {
  http.get(
    '/sessions/:sessionId',
    {
      config: { access: 'identity:read' },
      schema: {
        operationId: 'readInternalSession',
        summary: 'Read one device session',
        tags: ['internal'],
        params: contract.SessionParams,
        response: { 200: contract.InternalSession },
      },
    },
    async (request) => {
      const { sessionId: publicId } = request.params
      const record = await getRow(db, deviceSession, { publicId, actor: actorOf(request) })
      return presentSession({ ...record, userPublicId: record['shown userId'] }, clock.now())
    },
  )
  http.get(
    '/users/:userId/sessions',
    {
      config: { access: 'identity:read' },
      schema: {
        operationId: 'listInternalSessions',
        summary: "List a user's device sessions, newest first",
        tags: ['internal'],
        params: contract.UserParams,
        response: { 200: contract.InternalSessions },
      },
    },
    async (request) => {
      const { userId } = request.params
      await getRow(db, user, { publicId: userId, actor: actorOf(request) })
      const sessions = await listSessionsOfUser(db, userId)
      return { items: sessions.map((session) => presentSession(session, clock.now())) }
    },
  )
}

function endRoutes(http: Http, deps: ResourceDeps): void {
  for (const how of ['revoke', 'block'] as const) {
    http.post(
      `/sessions/:sessionId/${how}`,
      {
        config: { access: 'identity:write' },
        schema: {
          operationId: `${how}InternalSession`,
          summary: `${how === 'block' ? 'Block' : 'Revoke'} one session; again is no error`,
          tags: ['internal'],
          params: contract.SessionParams,
          body: contract.EndSession,
          response: { 200: contract.InternalSession },
        },
      },
      (request, reply) =>
        runCommand(deps, { request, reply }, async (db) => {
          const record = await endSession(
            { ...deps, db },
            {
              publicId: request.params.sessionId,
              actor: actorOf(request),
              how,
              reasonCode: request.body.reason_code,
            },
          )
          const session = { ...record, userPublicId: record['shown userId'] }
          return { status: 200, body: presentSession(session, deps.clock.now()) }
        }),
    )
  }
}

function declaredCountryRoute(http: Http, deps: ResourceDeps): void {
  http.put(
    '/users/:userId/declared-country',
    {
      config: { access: 'identity:write' },
      schema: {
        operationId: 'syncDeclaredCountry',
        summary: 'Synchronise the declared country of a user',
        tags: ['internal'],
        params: contract.UserParams,
        body: contract.SyncDeclaredCountry,
        response: { 200: contract.InternalUser },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const record = await syncDeclaredCountry(
          { ...deps, db },
          {
            publicId: request.params.userId,
            actor: actorOf(request),
            country: request.body.declared_country,
          },
        )
        return {
          status: 200,
          body: {
            user_id: record.publicId,
            declared_country: record.declaredCountry,
            is_active: record.isActive,
          },
        }
      }),
  )
}

function presentSession(session: Values, now: Date): Static<typeof contract.InternalSession> {
  const { expiresAt, revokedAt, blockedAt } = session as {
    expiresAt: Date
    revokedAt: Date | null
    blockedAt: Date | null
  }
  return {
    device_session_id: String(session.publicId),
    user_id: String(session.userPublicId),
    status: judgeSession({ expiresAt, revokedAt, blockedAt }, now),
    created_at: (session.createdAt as Date).toISOString(),
    last_seen_at: (session.lastSeenAt as Date).toISOString(),
    ended_at: (blockedAt ?? revokedAt)?.toISOString() ?? null,
    reason_code: session.reasonCode as string | null,
  }
}
