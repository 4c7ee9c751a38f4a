import { Found, SearchQuery } from '@placard/contract/search'
import { callerOf } from '../../platform/http/access.ts'
import type { Http } from '../../platform/http/server.ts'
import { findThings, type SearchDeps } from './operations.ts'

const LIMIT_DEFAULT = 5

/** One search for everything a caller may read. The caller gives the prefix. */
export function searchRoute(http: Http, deps: SearchDeps): void {
  http.get(
    '/search',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'search',
        summary: 'Find campaigns, advertisers, banners, placements, sites and people',
        description:
          'Looks for names, and for what each list searches: a campaign’s advertiser and contract reference, a site’s domain, a person’s address, and ids. Kinds that the caller may not read are left out.',
        tags: ['search'],
        querystring: SearchQuery,
        response: { 200: Found },
      },
    },
    async (request) => {
      const { search, limit = LIMIT_DEFAULT } = request.query
      const items = await findThings(deps, { search, limit, principal: callerOf(request) })
      return { items }
    },
  )
}
