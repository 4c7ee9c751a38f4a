import * as contract from '@placard/contract/accounts'
import { FactorNeeded } from '@placard/contract/factors'
import { pageOf } from '@placard/contract/shared'
import { Type, type Static } from 'typebox'
import { runCommand } from '../../../platform/http/command.ts'
import type { Http } from '../../../platform/http/server.ts'
import { callerOf } from '../../../platform/http/access.ts'
import { actorOf, getRow, listRows, present } from '../../../platform/resources/index.ts'
import { keepDevice, readDevice } from './devices.ts'
import type { SessionDeps } from './open-session.ts'
import { endSession } from './operations.ts'
import { deviceNameOf, handOver, refreshRoutes } from './routes-refresh.ts'
import { signIn } from './sign-in.ts'
import { ownFactorRoutes } from '../factors/routes-own.ts'
import { factorSignInRoutes, type FactorSignInDeps } from '../factors/routes-sign-in.ts'
import { listChoices } from '../oidc/at-provider.ts'
import { oidcRoutes } from '../oidc/routes.ts'
import { ownIdentityRoutes } from '../oidc/routes-own.ts'
import { prepareOwnPassword } from '../users/operations.ts'
import { areMailed } from '../links/links.ts'
import type { LinkOperationDeps } from '../links/operations.ts'
import { ownLinkRoutes, publicLinkRoutes } from '../links/routes.ts'
import { accountProblems } from '../problems.ts'
import { deviceSession, user } from '../resources.ts'
import { Problem } from '../../../platform/problem.ts'

export interface AuthOptions extends FactorSignInDeps, LinkOperationDeps {
  /** Sign-ins of a demo, where nothing is secret. */
  readonly demo?: Static<typeof contract.DemoSignIns> | undefined
}

/** Signing in, and users' changes to their own sign-in. */
export function authRoutes(http: Http, deps: AuthOptions): void {
  signInRoutes(http, deps)
  factorSignInRoutes(http, deps)
  refreshRoutes(http, deps)
  publicLinkRoutes(http, deps)
  oidcRoutes(http, deps)
  ownLinkRoutes(http, deps)
  ownRoutes(http, deps)
  ownSessionRoutes(http, deps)
  ownFactorRoutes(http, deps)
  ownIdentityRoutes(http, deps)
}

function signInRoutes(http: Http, deps: AuthOptions): void {
  http.post(
    '/auth/sign-in',
    {
      config: {
        access: 'public',
        answerIsSecret: true,
        rateLimit: { max: deps.signInsPerMinute, timeWindow: 60_000, allowList: [] },
      },
      schema: {
        operationId: 'signIn',
        summary: 'Open a device session with e-mail and password',
        tags: ['sign-in'],
        body: contract.SignIn,
        description:
          'Answers 202 if the user has a second factor: send it with the `signInToken` to `/auth/sign-in/…`.',
        response: { 200: contract.SignedIn, 202: FactorNeeded },
      },
    },
    async (request, reply) => {
      const { refreshTokenIn: way = 'body', deviceName, ...credentials } = request.body
      const device = await readDevice(deps, request)
      const { userId, signedIn, factorNeeded } = await signIn(deps, {
        ...credentials,
        device,
        ip: request.ip,
        deviceName: deviceName ?? deviceNameOf(request),
        refreshTokenIn: way,
      })
      if (factorNeeded) return reply.code(202).send(factorNeeded)
      if (way === 'cookie') await keepDevice(reply, deps, { device, userId })
      return handOver(reply, deps, { signedIn, way })
    },
  )
  http.get(
    '/auth/options',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'readSignInOptions',
        summary: 'Get what the sign-in page offers',
        description: '`demo` holds the public sign-ins of a demo; otherwise it is null.',
        tags: ['sign-in'],
        response: { 200: contract.SignInOptions },
      },
    },
    async () => ({
      identityProviders: await listChoices(deps),
      demo: deps.demo ?? null,
      sendsMail: areMailed(deps),
      passkeyHost: deps.passkeySite?.host ?? null,
    }),
  )
}

function ownRoutes(http: Http, deps: AuthOptions): void {
  http.get(
    '/me',
    {
      config: { access: 'signed-in', isOpenWithoutFactor: true },
      schema: {
        operationId: 'getMe',
        summary: 'Get the caller and their permissions',
        tags: ['sign-in'],
        response: { 200: contract.Me },
      },
    },
    async (request) => {
      const { kind, id, name, permissions, mustSetUpFactor = false } = callerOf(request)
      const record =
        kind === 'user'
          ? await getRow(deps.db, user, { publicId: id, actor: actorOf(request) })
          : undefined
      return {
        kind,
        id,
        name,
        permissions: [...permissions].toSorted(),
        mustSetUpFactor,
        user: record ? (present(user, record) as never) : null,
      }
    },
  )
  http.post(
    '/me/password',
    {
      config: { access: 'signed-in', answerIsSecret: true },
      schema: {
        operationId: 'changeOwnPassword',
        summary: 'Change your password; every session ends',
        tags: ['sign-in'],
        body: contract.ChangePassword,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { currentPassword: current, newPassword: next } = request.body
      await deps.limits.takeAddress(request.ip)
      const save = await prepareOwnPassword(deps, { actor: actorOf(request), current, next })
      return runCommand(deps, { request, reply }, async (db) => {
        await save(db)
        return { status: 204 }
      })
    },
  )
}

function ownSessionRoutes(http: Http, deps: AuthOptions): void {
  http.get(
    '/me/sessions',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'listMySessions',
        summary: 'List your sessions',
        tags: ['sign-in'],
        querystring: contract.OwnSessionQuery,
        response: { 200: pageOf(contract.DeviceSession) },
      },
    },
    async (request) => {
      const query = { ...request.query, userId: callerOf(request).id }
      return (await listRows(deps, deviceSession, {
        query,
        scope: callerOf(request),
      })) as never
    },
  )
  http.delete(
    '/me/sessions/:sessionId',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'endMySession',
        summary: 'Sign out of one device',
        tags: ['sign-in'],
        params: contract.SessionParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        await endOwnSession({ ...deps, db }, request.params.sessionId, actorOf(request))
        return { status: 204 }
      }),
  )
}

async function endOwnSession(
  deps: SessionDeps,
  publicId: string,
  actor: ReturnType<typeof actorOf>,
): Promise<void> {
  const session = await getRow(deps.db, deviceSession, { publicId, actor })
  if (session.userId !== actor.principal.userId) {
    throw new Problem(accountProblems.sessionNotFound, publicId)
  }
  await endSession(deps, { publicId, actor, how: 'revoke', reasonCode: 'signed_out' })
}
