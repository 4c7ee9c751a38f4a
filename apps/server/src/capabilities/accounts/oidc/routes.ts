import * as accounts from '@placard/contract/accounts'
import { FactorNeeded } from '@placard/contract/factors'
import * as contract from '@placard/contract/identity-providers'
import type { Http } from '../../../platform/http/server.ts'
import { keepDevice, readDevice } from '../sessions/devices.ts'
import { deviceNameOf, handOver, type RefreshRouteDeps } from '../sessions/routes-refresh.ts'
import { beginAtProvider } from './at-provider.ts'
import { signInAtProvider } from './sign-in.ts'

/** Signing in through an identity provider. */
export function oidcRoutes(http: Http, deps: RefreshRouteDeps): void {
  // Nothing is guessed here, and an office of people shares one address.
  const perAddress = { max: deps.refreshesPerMinute, timeWindow: 60_000, allowList: [] }
  http.post(
    '/auth/identity-providers/:providerSlug/begin',
    {
      config: { access: 'public', answerIsSecret: true, rateLimit: perAddress },
      schema: {
        operationId: 'beginAtProvider',
        summary: 'Begin to sign in through an identity provider',
        description:
          'Send the browser to `address` and keep `flow` in its tab. The provider sends it back to `/sign-in/{providerSlug}` of the console.',
        tags: ['sign-in'],
        params: contract.ProviderParams,
        response: { 200: contract.BegunAtProvider },
      },
    },
    ({ params }) => beginAtProvider(deps, { slug: params.providerSlug, connectedBy: null }),
  )
  http.post(
    '/auth/identity-providers/:providerSlug/finish',
    {
      config: { access: 'public', answerIsSecret: true, rateLimit: perAddress },
      schema: {
        operationId: 'finishAtProvider',
        summary: 'Open a device session with the answer of an identity provider',
        description:
          'The first sign-in makes the user, with the account and role that the rules of the provider give. Answers 202 as `/auth/sign-in` does if a second factor is needed.',
        tags: ['sign-in'],
        params: contract.ProviderParams,
        body: contract.FinishAtProvider,
        response: { 200: accounts.SignedIn, 202: FactorNeeded },
      },
    },
    async (request, reply) => {
      const { refreshTokenIn: way = 'body', deviceName, ...back } = request.body
      const device = await readDevice(deps, request)
      const { userId, signedIn, factorNeeded } = await signInAtProvider(deps, {
        ...back,
        slug: request.params.providerSlug,
        device,
        deviceName: deviceName ?? deviceNameOf(request),
        refreshTokenIn: way,
      })
      if (factorNeeded) return reply.code(202).send(factorNeeded)
      if (way === 'cookie') await keepDevice(reply, deps, { device, userId })
      return handOver(reply, deps, { signedIn, way })
    },
  )
}
