import * as contract from '@placard/contract/identity-providers'
import type { Http } from '../../../platform/http/server.ts'
import { changeRow, resourceRoutes, targetOf } from '../../../platform/resources/index.ts'
import { changeProvider, checkProvider, createProvider, type ProviderDeps } from './operations.ts'
import { identityProvider } from './resources.ts'

/** Identity providers, for operators; the caller gives the prefix. */
export function identityProviderRoutes(http: Http, deps: ProviderDeps): void {
  resourceRoutes(http, deps, {
    resource: identityProvider,
    actions: ['list', 'get', 'delete', 'restore'],
  })
  http.post(
    '/identity-providers',
    {
      config: { access: 'users:write' },
      schema: {
        operationId: 'createIdentityProvider',
        summary: 'Create an identity provider',
        tags: ['users'],
        body: contract.CreateIdentityProvider,
        response: { 201: contract.IdentityProvider },
      },
    },
    (request, reply) =>
      changeRow(deps, identityProvider, {
        request,
        reply,
        status: 201,
        change: ({ db }, actor) => createProvider({ ...deps, db }, { body: request.body, actor }),
      }),
  )
  http.patch(
    '/identity-providers/:identityProviderId',
    {
      config: { access: 'users:write' },
      schema: {
        operationId: 'changeIdentityProvider',
        summary: 'Change an identity provider',
        tags: ['users'],
        params: contract.IdentityProviderParams,
        body: contract.PatchIdentityProvider,
        response: { 200: contract.IdentityProvider },
      },
    },
    (request, reply) =>
      changeRow(deps, identityProvider, {
        request,
        reply,
        change: ({ db }) =>
          changeProvider(
            { ...deps, db },
            { ...targetOf(request, identityProvider), body: request.body },
          ),
      }),
  )
  checkRoute(http, deps)
}

function checkRoute(http: Http, deps: ProviderDeps): void {
  http.post(
    '/identity-providers/:identityProviderId/check',
    {
      config: { access: 'users:write' },
      schema: {
        operationId: 'checkIdentityProvider',
        summary: 'Ask an identity provider, and get what to enter there',
        tags: ['users'],
        params: contract.IdentityProviderParams,
        response: { 200: contract.IdentityProviderCheck },
      },
    },
    (request) => checkProvider(deps, targetOf(request, identityProvider)),
  )
}
