import { and, eq, isNull, like } from 'drizzle-orm'
import { argon2Passwords, auditTo } from '../capabilities/accounts/index.ts'
import { sites } from '../capabilities/inventory/tables.ts'
import { campaignEvents } from '../capabilities/campaigns/index.ts'
import { connectionDeps } from '../capabilities/channels/module.ts'
import type { Surroundings } from './api.ts'
import { DEMO_SIGN_INS } from '../../../demo/src/data/people.ts'
import { seedDemo } from '../../../demo/src/data/seed.ts'
import { demoShop } from '../../../demo/src/shop/routes.ts'
import type { Config } from '../settings/config.ts'
import type { Http } from '../platform/http/server.ts'
import { idsFrom } from '../platform/ids.ts'

/** The demo, made by the same operations that the API calls. False when it was there already. */
export function composeDemo(
  surroundings: Surroundings & { progress(message: string): void },
): Promise<boolean> {
  const { db, clock, random, storage, progress, config } = surroundings
  const ids = idsFrom(surroundings)
  return seedDemo({
    db,
    clock,
    random,
    ids,
    storage,
    progress,
    apiPort: config.API_PORT,
    audit: auditTo({ ids, clock }),
    events: campaignEvents(ids),
    ...connectionDeps(surroundings),
    passwords: surroundings.passwords ?? argon2Passwords(),
  })
}

/** The demo's pages, whose slots belong to the sites of the demo as long as those are there. */
export const composeShop = (http: Http, { db }: Pick<Surroundings, 'db'>): Promise<void> =>
  demoShop(http, {
    async findSiteId({ domain, seedUrl }) {
      const seedPath = seedUrl ? new URL(seedUrl).pathname : ''
      const [site] = await db
        .select({ publicId: sites.publicId })
        .from(sites)
        .where(
          and(
            eq(sites.domain, domain),
            isNull(sites.deletedAt),
            seedPath ? like(sites.seedUrl, `%${seedPath}`) : undefined,
          ),
        )
        .limit(1)
      return site?.publicId
    },
  })

/** The sign-ins that the sign-in page offers, in demo mode only. */
export const demoSignIns = ({ PLACARD_MODE }: Pick<Config, 'PLACARD_MODE'>) =>
  PLACARD_MODE === 'demo' ? DEMO_SIGN_INS : undefined

export { startTraffic as startDemoTraffic } from '../../../demo/src/visitors/traffic.ts'
export { welcome as demoWelcome } from '../../../demo/src/welcome.ts'
