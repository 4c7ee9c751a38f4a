import * as contract from '@placard/contract/accounts'
import { Type } from 'typebox'
import type { Http } from '../../platform/http/server.ts'
import {
  actionRoute,
  actorOf,
  changeRow,
  present,
  resourceRoutes,
  targetOf,
  type ResourceDeps,
  type Values,
} from '../../platform/resources/index.ts'
import { resetFactors } from './factors/reset.ts'
import type { LinkOperationDeps } from './links/operations.ts'
import { adminLinkRoutes } from './links/routes.ts'
import { createKey, revokeKey } from './keys/operations.ts'
import { endSession, type SessionUnblock, unblockSession } from './sessions/operations.ts'
import { changeUser, createUser, hashNew, savePassword, type UserDeps } from './users/operations.ts'
import { account, apiKey, auditRecord, deviceSession, user } from './resources.ts'
import { runCommand } from '../../platform/http/command.ts'

export interface AccountRouteDeps extends LinkOperationDeps {
  /** In the transaction that blocks or unblocks a session; others keep such decisions too. */
  whenSessionDecided(deps: ResourceDeps, decision: SessionDecision): Promise<void>
}

interface SessionDecision extends SessionUnblock {
  readonly userId: string
  readonly verdict: 'block' | 'unblock'
}

/** Accounts, users, sessions, keys and the audit log, for operators. */
export function accountRoutes(http: Http, deps: AccountRouteDeps): void {
  resourceRoutes(http, deps, { resource: account })
  resourceRoutes(http, deps, { resource: user, actions: ['list', 'get', 'delete', 'restore'] })
  resourceRoutes(http, deps, { resource: deviceSession, actions: ['list', 'get'] })
  resourceRoutes(http, deps, { resource: apiKey, actions: ['list', 'get'] })
  resourceRoutes(http, deps, { resource: auditRecord, actions: ['list', 'get'] })
  userRoutes(http, deps)
  adminLinkRoutes(http, deps)
  sessionRoutes(http, deps)
  keyRoutes(http, deps)
}

function userRoutes(http: Http, deps: UserDeps): void {
  http.post(
    '/users',
    {
      config: { access: 'users:write' },
      schema: {
        operationId: 'createUser',
        summary: 'Create a user',
        tags: ['users'],
        body: contract.CreateUser,
        response: { 201: contract.User },
      },
    },
    async (request, reply) => {
      const { password, ...body } = request.body
      const about = [body.email, body.displayName]
      const hashed = await hashNew(deps, { password, field: 'password', about })
      return changeRow(deps, user, {
        request,
        reply,
        status: 201,
        change: (deps, actor) => createUser(deps, { body: { ...body, ...hashed }, actor }),
      })
    },
  )
  http.patch(
    '/users/:userId',
    {
      config: { access: 'users:write' },
      schema: {
        operationId: 'changeUser',
        summary: 'Change a user',
        tags: ['users'],
        params: contract.UserParams,
        body: contract.PatchUser,
        response: { 200: contract.User },
      },
    },
    (request, reply) =>
      changeRow(deps, user, {
        request,
        reply,
        change: ({ db }) =>
          changeUser({ ...deps, db }, { ...targetOf(request, user), body: request.body }),
      }),
  )
  passwordRoute(http, deps)
  http.post(
    '/users/:userId/reset-factors',
    {
      config: { access: 'users:write' },
      schema: {
        operationId: 'resetFactorsOfUser',
        summary: "Remove another user's second factors and end the sessions",
        description: 'For somebody who has lost a phone. The user gets a mail.',
        tags: ['users'],
        params: contract.UserParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        await resetFactors({ ...deps, db }, targetOf(request, user))
        return { status: 204 }
      }),
  )
}

function passwordRoute(http: Http, deps: UserDeps): void {
  http.post(
    '/users/:userId/password',
    {
      config: { access: 'users:write' },
      schema: {
        operationId: 'setUserPassword',
        summary: 'Set a new password; every session of the user ends',
        tags: ['users'],
        params: contract.UserParams,
        body: contract.SetPassword,
        response: { 200: contract.User },
      },
    },
    async (request, reply) => {
      const { password } = request.body
      const hashed = await hashNew(deps, { password, field: 'password', about: [] })
      return changeRow(deps, user, {
        request,
        reply,
        change: ({ db }) =>
          savePassword({ ...deps, db }, { ...targetOf(request, user), ...hashed }),
      })
    },
  )
}

function sessionRoutes(http: Http, deps: AccountRouteDeps): void {
  for (const how of ['revoke', 'block'] as const) {
    actionRoute(http, deps, {
      resource: deviceSession,
      method: 'POST',
      action: how,
      summary: how === 'block' ? 'Block a session as suspicious' : 'End a session',
      body: contract.EndSession,
      async change(within, request) {
        const { reasonCode } = request.body as { reasonCode: string }
        const end = { ...targetOf(request, deviceSession), reasonCode }
        const record = await endSession(within, { ...end, how })
        if (how === 'block') await deps.whenSessionDecided(within, decided(record, end, how))
        return record
      },
    })
  }
  actionRoute(http, deps, {
    resource: deviceSession,
    method: 'POST',
    action: 'unblock',
    summary: 'Take the block of a session back; repeating it is not an error',
    body: contract.EndSession,
    async change(within, request) {
      const { reasonCode } = request.body as { reasonCode: string }
      const unblock = { ...targetOf(request, deviceSession), reasonCode }
      const record = await unblockSession(within, unblock)
      await deps.whenSessionDecided(within, decided(record, unblock, 'unblock'))
      return record
    },
  })
}

const decided = (
  record: Values,
  decision: SessionUnblock,
  verdict: SessionDecision['verdict'],
): SessionDecision => ({
  ...decision,
  verdict,
  userId: String(present(deviceSession, record)['userId']),
})

function keyRoutes(http: Http, deps: ResourceDeps): void {
  http.post(
    '/api-keys',
    {
      config: { access: 'keys:write', answerIsSecret: true },
      schema: {
        operationId: 'createApiKey',
        summary: 'Create an API key; the answer shows it once',
        tags: ['api keys'],
        body: contract.CreateApiKey,
        response: { 201: contract.NewApiKey },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const actor = actorOf(request)
        const { record, key } = await createKey({ ...deps, db }, { body: request.body, actor })
        return { status: 201, body: { ...present(apiKey, record), key } }
      }),
  )
  actionRoute(http, deps, {
    resource: apiKey,
    method: 'POST',
    action: 'revoke',
    summary: 'Revoke an API key; it fails from the next request on',
    change: (deps, request) => revokeKey(deps, targetOf(request, apiKey)),
  })
}
