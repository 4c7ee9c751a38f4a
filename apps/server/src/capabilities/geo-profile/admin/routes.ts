import type { Http } from '../../../platform/http/server.ts'
import { commandRoutes } from './routes-commands.ts'
import { deadLetterRoutes } from './routes-dead-letters.ts'
import { type GeoRouteDeps, readRoutes } from './routes-reads.ts'

/** Routes of trust and safety, for people and programs, under `/api/v1/internal`. */
export function geoRoutes(http: Http, deps: GeoRouteDeps): void {
  readRoutes(http, deps)
  commandRoutes(http, deps)
  deadLetterRoutes(http, deps)
}
