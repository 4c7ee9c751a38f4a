import type { Http } from '../../../platform/http/server.ts'
import { DOOR_HEADERS, DOOR_ROUTE } from '../shared/door.ts'
import type { AuctionDeps } from './auction.ts'

/** A transparent GIF of 1 × 1 pixel. */
const PICTURE = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** The parameters that an ad unit names for us. */
const BIDDER_PARAMS = {
  placard: {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title: 'Placard',
    type: 'object',
    properties: { placement: { type: 'string', description: 'Slug of the placement' } },
    required: ['placement'],
  },
}

/** What Prebid calls beside the auction. Placard syncs ids with nobody. */
export function aroundRoutes(http: Http, { door }: Pick<AuctionDeps, 'door'>): void {
  const hidden = { config: DOOR_ROUTE, schema: { hide: true } }
  http.get('/status', hidden, (_request, reply) => {
    void reply
      .headers(DOOR_HEADERS)
      .code(door.isOpen() ? 204 : 503)
      .send()
  })
  // Prebid walks the list, and throws without one.
  http.post('/cookie_sync', hidden, (_request, reply) =>
    reply.headers(DOOR_HEADERS).send({ status: 'ok', bidder_status: [] }),
  )
  http.get('/setuid', hidden, (_request, reply) =>
    reply.headers(DOOR_HEADERS).type('image/gif').send(PICTURE),
  )
  http.get('/getuids', hidden, (_request, reply) =>
    reply.headers(DOOR_HEADERS).send({ buyeruids: {} }),
  )
  http.get('/bidders/params', hidden, (_request, reply) =>
    reply.headers(DOOR_HEADERS).send(BIDDER_PARAMS),
  )
}
