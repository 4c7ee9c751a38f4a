import * as contract from '@placard/contract/accounts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Http } from '../../../platform/http/server.ts'
import { Problem } from '../../../platform/problem.ts'
import { accountProblems } from '../problems.ts'
import { type CookieSettings, keepCookie, refreshTokenIn } from './cookies.ts'
import type { OidcDeps } from '../oidc/at-provider.ts'
import { signOutAddressOf } from '../oidc/sign-out.ts'
import type { SignedIn } from './open-session.ts'
import { refreshSession, signOut } from './refresh.ts'
import type { Way } from './tokens.ts'

export interface RefreshRouteDeps extends OidcDeps {
  readonly cookies: CookieSettings
  /** Every page that is opened asks for an access token. */
  readonly refreshesPerMinute: number
}

/** Refreshing a session, and signing out. */
export function refreshRoutes(http: Http, deps: RefreshRouteDeps): void {
  const perAddress = { max: deps.refreshesPerMinute, timeWindow: 60_000, allowList: [] }
  http.post(
    '/auth/refresh',
    {
      config: { access: 'public', answerIsSecret: true, rateLimit: perAddress },
      schema: {
        operationId: 'refreshSession',
        summary: 'Exchange a refresh token for new tokens',
        description:
          'Takes the token from the cookie or the body. Each works once; in a cookie it works for 30 more seconds. A later use ends the session.',
        tags: ['sign-in'],
        body: contract.Refresh,
        response: { 200: contract.SignedIn },
      },
    },
    async (request, reply) => {
      const { refreshToken, refreshTokenIn: asked } = request.body
      const from: Way = refreshToken === undefined ? 'cookie' : 'body'
      const token = refreshToken ?? refreshTokenIn(request)
      if (token === undefined) throw new Problem(accountProblems.refreshRefused, 'Sign in.')
      const way = from === 'cookie' ? from : (asked ?? 'body')
      const signedIn = await refreshSession(deps, { token, from, to: way })
      return handOver(reply, deps, { signedIn, way })
    },
  )
  http.post(
    '/auth/sign-out',
    {
      config: { access: 'public', rateLimit: perAddress },
      schema: {
        operationId: 'signOut',
        summary: 'End the session of the cookie',
        description:
          'Without a cookie nothing happens. Answers 200 if the session began at an identity provider that can end its own too.',
        tags: ['sign-in'],
        response: { 200: contract.SignedOut, 204: Type.Null() },
      },
    },
    async (request: FastifyRequest, reply) => {
      const token = refreshTokenIn(request)
      const ended = token === undefined ? undefined : await signOut(deps, token)
      keepCookie(reply, deps.cookies, { kind: 'refresh', kept: undefined })
      const address = ended === undefined ? undefined : await signOutAddressOf(deps, ended)
      return address === undefined ? reply.code(204).send(null) : { signOutAddress: address }
    },
  )
}

/** What a device is called that does not name itself. */
export const deviceNameOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
  (headers['user-agent'] ?? 'unknown device').slice(0, 120)

interface HandOver {
  readonly signedIn: SignedIn
  readonly way: Way
}

/** The answer to a sign-in. A refresh token that goes into a cookie is in no body. */
export function handOver(
  reply: FastifyReply,
  { cookies, clock }: RefreshRouteDeps,
  { signedIn, way }: HandOver,
) {
  if (way === 'body') return signedIn
  const { refreshToken: token, ...rest } = signedIn
  const lifeMs = Date.parse(rest.refreshTokenExpiresAt) - clock.now().getTime()
  const seconds = Math.floor(lifeMs / 1_000)
  keepCookie(reply, cookies, { kind: 'refresh', kept: { token, seconds } })
  return rest
}
