import path from 'node:path'
import {
  compareCountries,
  eraseUser,
  rankAnew,
  reviewEverybody,
  SILENT_OBSERVER,
} from '../capabilities/geo-profile/index.ts'
import { auditTo } from '../capabilities/accounts/index.ts'
import { servicesOf } from '../capabilities/geo-profile/module.ts'
import type { Config } from '../settings/config.ts'
import { systemRandom } from '../platform/random.ts'
import { systemClock } from '../platform/clock.ts'
import { findRunning } from '../platform/database/embedded.ts'
import { openDatabase } from '../platform/database/open.ts'
import { idsFrom } from '../platform/ids.ts'

export type Repair = 'ranks' | 'reviews' | 'countries' | 'forget'

export interface RepairOrder {
  readonly what: Repair
  readonly userId: string | undefined
  readonly home: string
  progress(message: string): void
}

const STATEMENT_TIMEOUT_MS = 600_000

/** Repairs the geo profile of a running or stopped Placard. */
export async function repairGeoProfile(config: Config, order: RepairOrder): Promise<object> {
  const running = await findRunning(path.join(order.home, 'postgres'))
  const database = await openDatabase({
    url: config.DATABASE_URL ?? running?.url,
    home: config.PLACARD_HOME,
    connectionsMax: 2,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    progress: order.progress,
  })
  try {
    const clock = systemClock(config.PLACARD_CLOCK_OFFSET_MS)
    const shared = { db: database.db, clock, random: systemRandom }
    const ids = idsFrom(shared)
    const { users } = servicesOf({ config, ...shared, ids, audit: auditTo({ ids, clock }) })
    const deps = { ...shared, ids, users, observer: SILENT_OBSERVER, progress: order.progress }
    const repairs: Record<Repair, () => Promise<object>> = {
      ranks: () => rankAnew(deps),
      reviews: () => reviewEverybody(deps),
      countries: () => compareCountries(deps),
      async forget() {
        await eraseUser(database.db, order.userId ?? '')
        return { forgotten: order.userId }
      },
    }
    return await repairs[order.what]()
  } finally {
    await database.close()
  }
}
