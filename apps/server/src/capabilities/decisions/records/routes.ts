import * as contract from '@placard/contract/auctions'
import { toDecimal, type Micros } from '@placard/money'
import type { Http } from '../../../platform/http/server.ts'
import {
  type AuctionDeps,
  auctionStatistics,
  pageOfAuctions,
  type Statistics,
} from './operations.ts'
import type { ListedAuction } from './reads.ts'

/** Recorded decisions, for the people who run the platform; under `/api/v1/admin`. */
export function auctionRoutes(http: Http, deps: AuctionDeps): void {
  listRoute(http, deps)
  statisticsRoute(http, deps)
}

function listRoute(http: Http, deps: AuctionDeps): void {
  http.get(
    '/auctions',
    {
      config: { access: 'decisions:read' },
      schema: {
        operationId: 'listAuctions',
        summary: 'List auctions, newest first',
        description:
          'Page numbers reach the first 10,000; continue with the cursor. An auction appears within two seconds of its reply.',
        tags: ['auctions'],
        querystring: contract.AuctionQuery,
        response: { 200: contract.AuctionPage },
      },
    },
    async (request) => {
      const { rows, ...page } = await pageOfAuctions(deps, request.query)
      return { items: rows.map(presentAuction), ...page }
    },
  )
}

function statisticsRoute(http: Http, { db }: AuctionDeps): void {
  http.get(
    '/auctions/statistics',
    {
      config: { access: 'decisions:read' },
      schema: {
        operationId: 'getAuctionStatistics',
        summary: 'Sum up auctions',
        tags: ['auctions'],
        querystring: contract.AuctionStatisticsQuery,
        response: { 200: contract.AuctionStatistics },
      },
    },
    async (request) => {
      const { from, to, currencies, ...all } = await auctionStatistics(db, request.query)
      return {
        ...presentStatistics(all),
        from: from?.toISOString() ?? null,
        to: to?.toISOString() ?? null,
        currencies: currencies.map(({ currency, ...sums }) => ({
          currency,
          ...presentStatistics(sums),
        })),
      }
    },
  )
}

export const presentAuction = (auction: ListedAuction) => ({
  ...auction,
  auctionTime: auction.auctionTime.toISOString(),
  wonBy: wonBy(auction),
  ...amount('finalPrice', auction.finalPriceMicros),
  ...amount('winningEcpm', auction.winningEcpmMicros),
})

function wonBy({ winningEcpmMicros, emptyReason }: ListedAuction): 'bid' | 'booking' | null {
  if (emptyReason !== null) return null
  return winningEcpmMicros === null ? 'booking' : 'bid'
}

const presentStatistics = ({ averageEcpmMicros, ...rest }: Statistics) => ({
  ...rest,
  ...amount('averageEcpm', (averageEcpmMicros as Micros | undefined) ?? null),
})

/** The decimal that people read, and the exact amount in micros. */
function amount<Name extends string>(name: Name, micros: Micros | null) {
  return {
    [name]: micros === null ? null : Number(toDecimal(micros)),
    [`${name}Micros`]: micros === null ? null : String(micros),
  } as Record<Name, number | null> & Record<`${Name}Micros`, string | null>
}
