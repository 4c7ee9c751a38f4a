import * as contract from '@placard/contract/internal'
import type { Static } from 'typebox'
import { runCommand } from '../../platform/http/command.ts'
import type { Http } from '../../platform/http/server.ts'
import { Problem, type ProblemKind } from '../../platform/problem.ts'
import {
  type Actor,
  actorOf,
  getRow,
  type ResourceDeps,
  type Values,
} from '../../platform/resources/index.ts'
import { accountProblems } from './problems.ts'
import { endSession, unblockSession } from './sessions/operations.ts'
import { syncDeclaredCountry } from './users/operations.ts'
import { deviceSession, user } from './resources.ts'
import { judgeSession } from './sessions/session.ts'
import { listSessionsOfUser } from './store.ts'

/** The built-in User Service and Session Service, as the geo profile calls them. */
export function internalRoutes(http: Http, deps: ResourceDeps): void {
  readRoutes(http, deps)
  endRoutes(http, deps)
  userRoutes(http, deps)
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
      const publicId = knownAs(request.params.sessionId, accountProblems.sessionNotFound)
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
      const userId = knownAs(request.params.userId, accountProblems.userNotFound)
      await getRow(db, user, { publicId: userId, actor: actorOf(request) })
      const sessions = await listSessionsOfUser(db, userId)
      return { items: sessions.map((session) => presentSession(session, clock.now())) }
    },
  )
}

const CHANGES = {
  revoke: 'Revoke one session',
  block: 'Block one session',
  unblock: 'Take the block of one session back',
} as const

function endRoutes(http: Http, deps: ResourceDeps): void {
  for (const how of ['revoke', 'block', 'unblock'] as const) {
    http.post(
      `/sessions/:sessionId/${how}`,
      {
        config: { access: 'identity:write' },
        schema: {
          operationId: `${how}InternalSession`,
          summary: `${CHANGES[how]}; repeating it is not an error`,
          tags: ['internal'],
          params: contract.SessionParams,
          body: contract.EndSession,
          response: { 200: contract.InternalSession },
        },
      },
      (request, reply) =>
        runCommand(deps, { request, reply }, async (db) => {
          const asked = {
            publicId: knownAs(request.params.sessionId, accountProblems.sessionNotFound),
            actor: onBehalf(actorOf(request), request.body.actor),
            reasonCode: request.body.reason_code,
          }
          const within = { ...deps, db }
          const record = await (how === 'unblock'
            ? unblockSession(within, asked)
            : endSession(within, { ...asked, how }))
          const session = { ...record, userPublicId: record['shown userId'] }
          return { status: 200, body: presentSession(session, deps.clock.now()) }
        }),
    )
  }
}

function userRoutes(http: Http, deps: ResourceDeps): void {
  http.get(
    '/users/:userId',
    {
      config: { access: 'identity:read' },
      schema: {
        operationId: 'readInternalUser',
        summary: 'Read the declared country of a user',
        description: 'A User Service answers 404 for a user it does not know.',
        tags: ['internal'],
        params: contract.UserParams,
        response: { 200: contract.InternalUser },
      },
    },
    async (request) => {
      const publicId = knownAs(request.params.userId, accountProblems.userNotFound)
      return presentUser(await getRow(deps.db, user, { publicId, actor: actorOf(request) }))
    },
  )
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
            publicId: knownAs(request.params.userId, accountProblems.userNotFound),
            actor: onBehalf(actorOf(request), request.body.actor),
            country: request.body.declared_country,
          },
        )
        return { status: 200, body: presentUser(record) }
      }),
  )
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** An id in another form is treated as unknown. */
function knownAs(id: string, notFound: ProblemKind): string {
  if (UUID.test(id)) return id
  throw new Problem(notFound, id)
}

/** A service acts with its own key. The audit log also names the person it acts for. */
const onBehalf = (
  caller: Actor,
  { type, id }: Static<typeof contract.EndSession>['actor'],
): Actor => ({
  ...caller,
  principal: { ...caller.principal, name: `${caller.principal.name}, for ${type} ${id}` },
})

const presentUser = (record: Values): Static<typeof contract.InternalUser> => ({
  user_id: String(record.publicId),
  declared_country: record.declaredCountry as string | null,
  is_active: Boolean(record.isActive),
})

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
