import * as contract from '@placard/contract/geo-profile'
import { callerOf } from '../../../platform/http/access.ts'
import { httpProblems } from '../../../platform/http/problems.ts'
import type { Http } from '../../../platform/http/server.ts'
import { Problem } from '../../../platform/problem.ts'
import { actorOf } from '../../../platform/resources/index.ts'
import { presentVersion } from '../admin/present.ts'
import type { ChangeDeps } from './operations-declared.ts'
import { declareOwnCountry } from './operations-own.ts'

/** What people say of themselves. */
export function ownCountryRoutes(http: Http, deps: ChangeDeps): void {
  http.put(
    '/me/declared-country',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'declareMyCountry',
        summary: 'Say which country you live in',
        description:
          'The first time at once, later once in 30 days; not while somebody looks at it. For people, not for keys.',
        tags: ['sign-in'],
        body: contract.DeclareOwnCountry,
        response: { 200: contract.DeclaredCountryVersion },
      },
    },
    async (request) => {
      if (callerOf(request).kind !== 'user') {
        throw new Problem(httpProblems.forbidden, 'A key lives in no country.')
      }
      const { country } = request.body
      return presentVersion(await declareOwnCountry(deps, { caller: actorOf(request), country }))
    },
  )
}
