import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { createHttp, type Http } from '../platform/http/server.ts'
import { idsFrom } from '../platform/ids.ts'
import type { Actor, ResourceDeps } from '../platform/resources/index.ts'
import { fixedClock, seededRandom } from './fixed.ts'

export interface TestServer {
  readonly http: Http
  /** The actor of all further requests; undefined for nobody. */
  actAs(actor: Actor | undefined): void
}

/** What all servers have, without any route. */
export async function serverOfNothing(): Promise<Http> {
  const http = await createHttp({
    log: pino({ level: 'silent' }),
    ids: idsFrom({ clock: fixedClock(), random: seededRandom() }),
    trustedProxies: [],
    permitsPerMinute: 1_000,
    identify: async () => undefined,
  })
  onTestFinished(() => http.close())
  return http
}

/** A server without a port; the test sets the caller. */
export async function serverWith(
  { ids }: ResourceDeps,
  addRoutes: (http: Http) => void,
): Promise<TestServer> {
  let caller: Actor | undefined
  const http = await createHttp({
    log: pino({ level: 'silent' }),
    ids,
    trustedProxies: [],
    permitsPerMinute: 1_000_000,
    identify: async () => caller?.principal,
  })
  await http.register(async (routes) => addRoutes(routes as Http), { prefix: '/api/v1/admin' })
  await http.ready()
  onTestFinished(() => http.close())
  return { http, actAs: (actor) => void (caller = actor) }
}

/** The same actor with exactly these permissions. */
export const allowed = (actor: Actor, ...permissions: string[]): Actor => ({
  ...actor,
  principal: { ...actor.principal, permissions: new Set(permissions) },
})
