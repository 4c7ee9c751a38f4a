import type { Pool } from 'pg'
import type { ChangeSubscriber } from '../../../platform/changes/changes.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { cursorNow } from '../../../platform/database/ordered-feed.ts'
import { applyLimits, listOwnersOfOpenDays } from './store-limits.ts'

interface LimitsDeps {
  readonly db: Database
  readonly pool: Pool
  readonly clock: Clock
  /** A campaign may spend its day again. */
  onReset(campaignKey: number): void
}

/** Keeps the limits of days that can still be spent on as the catalogue says. */
export function limitsSubscriber({ db, pool, clock, onReset }: LimitsDeps): ChangeSubscriber {
  return {
    async onChanges(changes) {
      const keysOf = (entity: string) => [
        ...new Set(changes.filter((c) => c.entity === entity).map((c) => Number(c.entityId))),
      ]
      for (const key of keysOf('budget_resets')) onReset(key)
      const campaignKeys = keysOf('campaigns')
      const advertiserKeys = keysOf('advertisers')
      if (campaignKeys.length + advertiserKeys.length === 0) return
      await applyLimits(pool, { campaignKeys, advertiserKeys, at: clock.now() })
    },
    async onReload() {
      const cursor = await cursorNow(db)
      const at = clock.now()
      await applyLimits(pool, { ...(await listOwnersOfOpenDays(pool, at)), at })
      return cursor
    },
  }
}
