import * as contract from '@placard/contract/identity-providers'
import { Type } from 'typebox'
import type { Http } from '../../../platform/http/server.ts'
import { presentAs } from '../../../platform/resources/index.ts'
import { ownSessionOf, requireFreshProof } from '../factors/own-session.ts'
import type { Person } from '../store.ts'
import { beginAtProvider, listChoices, type OidcDeps, proveAtProvider } from './at-provider.ts'
import { connectOwn, disconnectOwn, listOwn } from './identities.ts'
import { ruleFor } from './sign-in.ts'

/** Sign-ins elsewhere that users connect with themselves. */
export function ownIdentityRoutes(http: Http, deps: OidcDeps): void {
  http.get(
    '/me/external-identities',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'listMyExternalIdentities',
        summary: 'List your sign-ins at identity providers',
        tags: ['sign-in'],
        response: { 200: contract.ExternalIdentities },
      },
    },
    async (request) => ownIdentities(deps, (await ownSessionOf(deps, request)).person),
  )
  connectRoutes(http, deps)
  http.delete(
    '/me/external-identities/:externalIdentityId',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'disconnectMyExternalIdentity',
        summary: 'Disconnect a sign-in; sessions that began through it end',
        tags: ['sign-in'],
        params: contract.ExternalIdentityParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const own = await ownSessionOf(deps, request)
      await requireFreshProof(deps, own)
      const { person: owner } = own
      await disconnectOwn(deps, { publicId: request.params.externalIdentityId, owner })
      return reply.code(204).send(null)
    },
  )
}

function connectRoutes(http: Http, deps: OidcDeps): void {
  http.post(
    '/me/external-identities/begin',
    {
      config: { access: 'signed-in', answerIsSecret: true },
      schema: {
        operationId: 'beginToConnect',
        summary: 'Begin to connect a sign-in at an identity provider',
        tags: ['sign-in'],
        body: contract.BeginToConnect,
        response: { 200: contract.BegunAtProvider },
      },
    },
    async (request) => {
      const own = await ownSessionOf(deps, request)
      await requireFreshProof(deps, own)
      const { providerSlug: slug } = request.body
      return beginAtProvider(deps, { slug, connectedBy: own.person.publicId })
    },
  )
  http.post(
    '/me/external-identities',
    {
      config: { access: 'signed-in', answerIsSecret: true },
      schema: {
        operationId: 'connectMyExternalIdentity',
        summary: 'Connect a sign-in with the answer of the identity provider',
        tags: ['sign-in'],
        body: contract.ConnectIdentity,
        response: { 200: contract.ExternalIdentities },
      },
    },
    async (request) => {
      const { person: owner } = await ownSessionOf(deps, request)
      const { providerSlug: slug, ...back } = request.body
      const proven = await proveAtProvider(deps, { ...back, slug, connectedBy: owner.publicId })
      await connectOwn(deps, { ...proven, owner, rule: ruleFor(proven) })
      return ownIdentities(deps, owner)
    },
  )
}

async function ownIdentities(deps: OidcDeps, owner: Person) {
  const identities = await listOwn(deps, owner)
  return {
    items: identities.map(({ publicId, ...identity }) =>
      presentAs(contract.ExternalIdentity, { ...identity, id: publicId }),
    ),
    providers: await listChoices(deps),
  }
}
