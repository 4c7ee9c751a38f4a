import type { Http } from '../../../platform/http/server.ts'
import { DOOR_HEADERS, DOOR_ROUTE, type OpenDoor } from '../shared/door.ts'

export interface OpenRtbDeps {
  readonly door: OpenDoor
}

/** OpenRTB 2.6 and 2.5 at the addresses that Prebid Server uses. */
export function openRtbRoutes(http: Http, { door }: OpenRtbDeps): void {
  http.get('/status', { config: DOOR_ROUTE, schema: { hide: true } }, (_request, reply) => {
    void reply
      .headers(DOOR_HEADERS)
      .code(door.isOpen() ? 204 : 503)
      .send()
  })
}
