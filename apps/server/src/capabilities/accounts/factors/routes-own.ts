import * as contract from '@placard/contract/factors'
import { Type } from 'typebox'
import { runCommand } from '../../../platform/http/command.ts'
import type { Http } from '../../../platform/http/server.ts'
import type { FactorDeps } from './codes.ts'
import {
  beginAuthenticator,
  confirmAuthenticator,
  readOwnFactors,
  removeFactor,
  renewRecoveryCodes,
  saveFactor,
} from './operations.ts'
import { ownSessionOf, requireFreshProof } from './own-session.ts'
import { beginPasskey, judgeNewPasskey } from './passkeys.ts'
import { OWN, proofRoutes } from './routes-proof.ts'

const SECRET = { ...OWN, answerIsSecret: true } as const

/** Users' own second factors. */
export function ownFactorRoutes(http: Http, deps: FactorDeps): void {
  http.get(
    '/me/factors',
    {
      config: OWN,
      schema: {
        operationId: 'readMyFactors',
        summary: 'List your second factors',
        tags: ['sign-in'],
        response: { 200: contract.OwnFactors },
      },
    },
    async (request) => readOwnFactors(deps, await ownSessionOf(deps, request)),
  )
  authenticatorRoutes(http, deps)
  passkeyRoutes(http, deps)
  http.delete(
    '/me/factors/:factorId',
    {
      config: OWN,
      schema: {
        operationId: 'removeMyFactor',
        summary: 'Remove one of your second factors',
        description: 'Needs a proof of at most ten minutes ago: see `/me/proof/password`.',
        tags: ['sign-in'],
        params: contract.FactorParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const own = await ownSessionOf({ db }, request)
        await removeFactor({ ...deps, db }, own, request.params.factorId)
        return { status: 204 }
      }),
  )
  http.post(
    '/me/recovery-codes',
    {
      config: SECRET,
      schema: {
        operationId: 'renewMyRecoveryCodes',
        summary: 'Make new recovery codes; the old ones no longer work',
        tags: ['sign-in'],
        response: { 200: contract.NewRecoveryCodes },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const own = await ownSessionOf({ db }, request)
        return { status: 200, body: await renewRecoveryCodes({ ...deps, db }, own) }
      }),
  )
  proofRoutes(http, deps)
}

function authenticatorRoutes(http: Http, deps: FactorDeps): void {
  http.post(
    '/me/factors/authenticator',
    {
      config: SECRET,
      schema: {
        operationId: 'beginMyAuthenticator',
        summary: 'Begin to add an authenticator app',
        description: 'Nothing is added before you send a code of the app back.',
        tags: ['sign-in'],
        response: { 200: contract.NewAuthenticator },
      },
    },
    async (request) => beginAuthenticator(deps, await ownSessionOf(deps, request)),
  )
  http.post(
    '/me/factors/authenticator/confirm',
    {
      config: SECRET,
      schema: {
        operationId: 'confirmMyAuthenticator',
        summary: 'Add the authenticator app with its first code',
        description: 'With your first factor come recovery codes, and all other sessions end.',
        tags: ['sign-in'],
        body: contract.ConfirmAuthenticator,
        response: { 200: contract.AddedFactor },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const own = await ownSessionOf({ db }, request)
        return {
          status: 200,
          body: await confirmAuthenticator({ ...deps, db }, own, request.body),
        }
      }),
  )
}

function passkeyRoutes(http: Http, deps: FactorDeps): void {
  http.post(
    '/me/factors/passkey-challenge',
    {
      config: SECRET,
      schema: {
        operationId: 'beginMyPasskey',
        summary: 'Begin to add a passkey',
        description: 'Give `options` to the browser, and send back what it makes.',
        tags: ['sign-in'],
        response: { 200: contract.NewPasskey },
      },
    },
    async (request) => beginPasskey(deps, await ownSessionOf(deps, request)),
  )
  http.post(
    '/me/factors/passkey',
    {
      config: SECRET,
      schema: {
        operationId: 'confirmMyPasskey',
        summary: 'Add the passkey that the browser made',
        description: 'With your first factor come recovery codes, and all other sessions end.',
        tags: ['sign-in'],
        body: contract.ConfirmPasskey,
        response: { 200: contract.AddedFactor },
      },
    },
    async (request, reply) => {
      const own = await ownSessionOf(deps, request)
      await requireFreshProof(deps, own)
      const passkey = await judgeNewPasskey(deps, own, request.body)
      return runCommand(deps, { request, reply }, async (db) => ({
        status: 200,
        body: await saveFactor({ ...deps, db }, own, passkey),
      }))
    },
  )
}
