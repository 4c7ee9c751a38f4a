import * as contract from '@placard/contract/openrtb'
import { Type } from 'typebox'
import { addLeanRoute } from '../../../platform/http/fast-lane/fast-lane.ts'
import { ignoreBodies } from '../../../platform/http/ignored-bodies.ts'
import type { Http } from '../../../platform/http/server.ts'
import { mapMaybe } from '../../decisions/index.ts'
import { acceptDoorBodies } from '../shared/bodies.ts'
import { DOOR_HEADERS, DOOR_ROUTE } from '../shared/door.ts'
import { type AuctionDeps, holdAuction } from './auction.ts'
import { aroundRoutes } from './routes-around.ts'

/** OpenRTB 2.6 and 2.5 at the addresses that Prebid Server uses. */
export function openRtbRoutes(http: Http, deps: AuctionDeps): void {
  void http.register(async (door) => {
    acceptDoorBodies(door)
    auctionRoute(door, deps)
  })
  void http.register(async (around) => {
    ignoreBodies(around)
    aroundRoutes(around, deps)
  })
}

const ABOUT_AUCTION = `For Prebid, Prebid Server and exchanges. The body is JSON whatever its content
type, plain or gzip. An impression names its placement by slug: \`ext.prebid.bidder.<name>.placement\`,
\`tagid\`, \`ext.gpid\` or its own id. Without a bid the answer is 204, for Prebid 200 with \`nbr\`. A bid
holds its money for \`OPENRTB_HOLD_SECONDS\`.`

function auctionRoute(http: Http, deps: AuctionDeps): void {
  addLeanRoute(http, {
    method: 'POST',
    url: '/openrtb2/auction',
    config: DOOR_ROUTE,
    takesAnyType: true,
    schema: {
      operationId: 'holdOpenRtbAuction',
      summary: 'Bid on impressions, in OpenRTB 2.6 or 2.5',
      description: ABOUT_AUCTION,
      tags: ['doors'],
      body: contract.BidRequest,
      response: { 200: contract.BidResponse, 204: Type.Null({ description: 'No bid' }) },
    },
    headers: { ...DOOR_HEADERS, 'x-openrtb-version': '2.6' },
    answer(request, send) {
      const call = { caller: request, request: request.body }
      return mapMaybe(holdAuction(deps, call), ({ answer, keep }) => {
        if (answer === undefined) send(204)
        else send(200, answer)
        keep()
      })
    },
  })
}
