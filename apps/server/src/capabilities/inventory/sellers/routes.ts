import * as contract from '@placard/contract/inventory'
import type { Database } from '../../../platform/database/connect.ts'
import { Problem } from '../../../platform/problem.ts'
import type { Http } from '../../../platform/http/server.ts'
import { sellerProblems } from '../problems.ts'
import { normaliseDomain } from '../domain-name.ts'
import { adsTxt } from './ads-txt.ts'
import { findAuthorisedSite, listSellers } from './reads.ts'
import { sellersJson } from './sellers-json.ts'

export interface SellerDeps {
  readonly db: Database
  /** The platform as a seller; without a domain it sells nothing in public. */
  readonly seller: { readonly domain: string | undefined; readonly contact: string | undefined }
}

/** Crawlers of buyers ask about once a day. */
const AN_HOUR = 'public, max-age=3600'
const PUBLIC = { access: 'public', shedsLoad: true } as const

/** Files of the IAB, by which buyers know who may sell a site's space. Not part of the API's description. */
export function sellerRoutes(http: Http, { db, seller }: SellerDeps): void {
  const platformDomain = () => {
    if (seller.domain !== undefined) return seller.domain
    throw new Problem(sellerProblems.notSelling, 'SELLER_DOMAIN is not set.')
  }

  for (const name of ['ads.txt', 'app-ads.txt']) {
    http.get(
      `/${name}`,
      {
        config: PUBLIC,
        schema: { hide: true, querystring: contract.AdsTxtQuery },
      },
      async (request, reply) => {
        const platform = platformDomain()
        const asked = request.query.domain ?? request.host.replace(/:\d+$/, '')
        const domain = normaliseDomain(asked)
        const site = domain === undefined ? undefined : await findAuthorisedSite(db, domain)
        if (site === undefined) throw new Problem(sellerProblems.unknownSite, asked)
        return reply
          .type('text/plain; charset=utf-8')
          .header('cache-control', AN_HOUR)
          .send(adsTxt(site, platform))
      },
    )
  }

  http.get(
    '/sellers.json',
    {
      config: PUBLIC,
      schema: { hide: true },
    },
    async (_request, reply) => {
      platformDomain()
      void reply.header('cache-control', AN_HOUR)
      return sellersJson(await listSellers(db), seller.contact)
    },
  )
}
