import * as accounts from '@placard/contract/accounts'
import * as contract from '@placard/contract/factors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Http } from '../../../platform/http/server.ts'
import { keepDevice, readDevice } from '../sessions/devices.ts'
import { deviceNameOf, handOver, type RefreshRouteDeps } from '../sessions/routes-refresh.ts'
import type { Way } from '../sessions/tokens.ts'
import type { FactorDeps } from './codes.ts'
import { askForPasskey, signInWithPasskey } from './passkey-sign-in.ts'
import { signInWithCode, type Completed, type SecondStep } from './pending-sign-in.ts'

export interface FactorSignInDeps extends FactorDeps, RefreshRouteDeps {
  readonly signInsPerMinute: number
}

/** The second step of a sign-in. */
export function factorSignInRoutes(http: Http, deps: FactorSignInDeps): void {
  http.post(
    '/auth/sign-in/code',
    {
      config: {
        access: 'public',
        answerIsSecret: true,
        rateLimit: { max: deps.signInsPerMinute, timeWindow: 60_000, allowList: [] },
      },
      schema: {
        operationId: 'signInWithCode',
        summary: 'Complete a sign-in with a code of an authenticator app, or a recovery code',
        description: 'Wrong codes are counted like wrong passwords.',
        tags: ['sign-in'],
        body: contract.SignInWithCode,
        response: { 200: accounts.SignedIn },
      },
    },
    (request, reply) =>
      complete(deps, { request, reply }, (step) =>
        signInWithCode(deps, { ...step, code: request.body.code }),
      ),
  )
  passkeySignInRoutes(http, deps)
}

function passkeySignInRoutes(http: Http, deps: FactorSignInDeps): void {
  const rateLimit = { max: deps.signInsPerMinute, timeWindow: 60_000, allowList: [] }
  http.post(
    '/auth/sign-in/passkey-challenge',
    {
      config: { access: 'public', answerIsSecret: true, rateLimit },
      schema: {
        operationId: 'askForPasskey',
        summary: 'Get the challenge for signing in with a passkey',
        description:
          'With the token of a sign-in that waits for a second factor, or without one to sign in with a passkey alone. A challenge works once.',
        tags: ['sign-in'],
        body: contract.AskForPasskey,
        response: { 200: contract.SignInChallenge },
      },
    },
    ({ body: { signInToken }, ip }) => askForPasskey(deps, { signInToken, ip }),
  )
  http.post(
    '/auth/sign-in/passkey',
    {
      config: { access: 'public', answerIsSecret: true, rateLimit },
      schema: {
        operationId: 'signInWithPasskey',
        summary: 'Complete a sign-in with a passkey',
        description:
          'Without a password before it the passkey must have verified its user, by a finger, a face or a PIN.',
        tags: ['sign-in'],
        body: contract.SignInWithPasskey,
        response: { 200: accounts.SignedIn },
      },
    },
    (request, reply) =>
      complete(deps, { request, reply }, (step) =>
        signInWithPasskey(deps, { ...step, credential: request.body.credential }),
      ),
  )
}

interface Exchange {
  readonly request: FastifyRequest<{ Body: Given }>
  readonly reply: FastifyReply
}

interface Given {
  readonly signInToken: string
  readonly deviceName?: string
  readonly refreshTokenIn?: Way
}

async function complete(
  deps: FactorSignInDeps,
  { request, reply }: Exchange,
  completing: (step: SecondStep) => Promise<Completed>,
) {
  const { signInToken, deviceName, refreshTokenIn: way = 'body' } = request.body
  const device = await readDevice(deps, request)
  const { userId, ...signedIn } = await completing({
    signInToken,
    device,
    deviceName: deviceName ?? deviceNameOf(request),
    refreshTokenIn: way,
  })
  if (way === 'cookie') await keepDevice(reply, deps, { device, userId })
  return handOver(reply, deps, { signedIn, way })
}
