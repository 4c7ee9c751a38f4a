import * as contract from '@placard/contract/geo-profile'
import { callerOf } from '../../../platform/http/access.ts'
import { httpProblems } from '../../../platform/http/problems.ts'
import type { Http } from '../../../platform/http/server.ts'
import { Problem } from '../../../platform/problem.ts'
import { actorOf } from '../../../platform/resources/index.ts'
import { presentVersion } from '../admin/present.ts'
import type { ChangeDeps } from './operations-declared.ts'
import { declareOwnCountry } from './operations-own.ts'

/** A user's own declaration. */
export function ownCountryRoutes(http: Http, deps: ChangeDeps): void {
  http.put(
    '/me/declared-country',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'declareMyCountry',
        summary: 'Declare the country you live in',
        description:
          'Allowed the first time at once and later once in 30 days, but not during a review. For users only, not for API keys.',
        tags: ['sign-in'],
        body: contract.DeclareOwnCountry,
        response: { 200: contract.DeclaredCountryVersion },
      },
    },
    async (request) => {
      if (callerOf(request).kind !== 'user') {
        throw new Problem(httpProblems.forbidden, 'An API key has no country.')
      }
      const { country } = request.body
      return presentVersion(await declareOwnCountry(deps, { caller: actorOf(request), country }))
    },
  )
}
