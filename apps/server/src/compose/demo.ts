import { campaignEvents } from '../capabilities/campaigns/index.ts'
import { connectionDeps } from '../capabilities/channels/module.ts'
import type { ApiBase, PlacardBase } from './base.ts'
import { DEMO_SIGN_INS } from '../../../demo/src/data/people.ts'
import { seedDemo } from '../../../demo/src/data/seed.ts'
import { findSiteId } from '../../../demo/src/shop/reads-sites.ts'
import { demoShop, keepClicksHere } from '../../../demo/src/shop/routes.ts'
import type { Config } from '../settings/config.ts'
import type { Identify } from '../platform/http/access.ts'
import type { Principal } from '../platform/http/principal.ts'
import { type CapabilityModule, routeGroup } from '../platform/module.ts'

/** Creates the demo through the operations that the API calls. False if it existed already. */
export const composeDemo = (
  base: ApiBase & { progress(message: string): void },
): Promise<boolean> =>
  seedDemo({
    ...base,
    ...connectionDeps(base),
    apiPort: base.config.API_PORT,
    events: campaignEvents(base.ids),
  })

/** Pages of the demo. Their slots belong to the demo's sites, as long as those exist. */
export const shopModule = ({ db }: Pick<PlacardBase, 'db'>): CapabilityModule => ({
  name: 'shop',
  addHooks: keepClicksHere,
  routes: [routeGroup('', demoShop, { findSiteId: (query) => findSiteId(db, query) })],
})

/** The demo's readers share one address. Only this process's own key may speak for them. */
export function withDemoReaders(identify: Identify, key: string | undefined): Identify {
  if (key === undefined) return identify
  return async (request) =>
    request.headers['x-api-key'] === key ? DEMO_READERS : identify(request)
}

const DEMO_READERS: Principal = {
  kind: 'key',
  id: 'demo-readers',
  name: 'Readers of the demo',
  accountId: 0n,
  isPlatform: true,
  permissions: new Set(['serving:write']),
}

/** Sign-ins offered on the sign-in page, in demo mode only. */
export const demoSignIns = ({ PLACARD_MODE }: Pick<Config, 'PLACARD_MODE'>) =>
  PLACARD_MODE === 'demo' ? DEMO_SIGN_INS : undefined

export { runHistory as runDemoHistory } from '../../../demo/src/visitors/run-history.ts'
export { startTraffic as startDemoTraffic } from '../../../demo/src/visitors/traffic.ts'
export { welcome as demoWelcome } from '../../../demo/src/welcome.ts'
