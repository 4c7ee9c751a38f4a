import * as contract from '@placard/contract/factors'
import { Type } from 'typebox'
import type { Http } from '../../../platform/http/server.ts'
import type { FactorDeps } from './codes.ts'
import { ownSessionOf, proveByCode, proveByPassword } from './own-session.ts'
import { askForOwnPasskey, proveByPasskey } from './passkeys.ts'

/** Also for users who must set up a factor before anything else. */
export const OWN = { access: 'signed-in', isOpenWithoutFactor: true } as const

/** Whoever changes factors proves once more that it is them. */
export function proofRoutes(http: Http, deps: FactorDeps): void {
  http.post(
    '/me/proof/password',
    {
      config: OWN,
      schema: {
        operationId: 'proveByPassword',
        summary: 'Prove with your password that it is you, for ten minutes',
        tags: ['sign-in'],
        body: contract.ProveByPassword,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await proveByPassword(deps, await ownSessionOf(deps, request), request.body.password)
      return reply.code(204).send(null)
    },
  )
  http.post(
    '/me/proof/code',
    {
      config: OWN,
      schema: {
        operationId: 'proveByCode',
        summary: 'Prove with a code that it is you, for ten minutes',
        tags: ['sign-in'],
        body: contract.ProveByCode,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await proveByCode(deps, await ownSessionOf(deps, request), request.body.code)
      return reply.code(204).send(null)
    },
  )
  passkeyProofRoutes(http, deps)
}

function passkeyProofRoutes(http: Http, deps: FactorDeps): void {
  http.post(
    '/me/proof/passkey-challenge',
    {
      config: { ...OWN, answerIsSecret: true },
      schema: {
        operationId: 'askForMyPasskey',
        summary: 'Get the challenge for proving with a passkey that it is you',
        tags: ['sign-in'],
        response: { 200: contract.PasskeyChallenge },
      },
    },
    async (request) => askForOwnPasskey(deps, await ownSessionOf(deps, request)),
  )
  http.post(
    '/me/proof/passkey',
    {
      config: OWN,
      schema: {
        operationId: 'proveByPasskey',
        summary: 'Prove with a passkey that it is you, for ten minutes',
        tags: ['sign-in'],
        body: contract.ProveByPasskey,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await proveByPasskey(deps, await ownSessionOf(deps, request), request.body.credential)
      return reply.code(204).send(null)
    },
  )
}
