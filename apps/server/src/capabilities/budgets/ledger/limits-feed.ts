import type { Pool } from 'pg'
import type { ChangeSubscriber } from '../../../platform/changes/changes.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { cursorNow } from '../../../platform/database/ordered-feed.ts'
import { forEachPart } from '../../../platform/set-aside/set-aside.ts'
import { applyLimits, listOwnersOfOpenDays } from './store-limits.ts'

interface LimitsDeps {
  readonly db: Database
  readonly pool: Pool
  readonly clock: Clock
  /** A reset allows the campaign to spend its day again. */
  onReset(campaignKey: number): void
}

interface Owners {
  readonly campaignKeys: readonly number[]
  readonly advertiserKeys: readonly number[]
}

const union = (keys: readonly number[], more: readonly number[]) => [...new Set([...keys, ...more])]

/**
 * Applies the catalogue's limits to today's and later days. An owner whose limits cannot be set is
 * set aside with its old limits, and tried again at every later change, of any owner.
 */
export function limitsSubscriber({ db, pool, clock, onReset }: LimitsDeps): ChangeSubscriber {
  let refused: Owners = { campaignKeys: [], advertiserKeys: [] }

  async function applyTo(entity: string, rows: readonly number[]): Promise<readonly number[]> {
    const round = { reader: 'budgets.limits', entity, rows, keyOf: (key: number) => key }
    const done = await forEachPart({ db, clock }, round, (keys) =>
      applyLimits(pool, {
        campaignKeys: entity === 'campaigns' ? keys : [],
        advertiserKeys: entity === 'advertisers' ? keys : [],
        at: clock.now(),
      }),
    )
    return done.refused.map(({ entityId }) => entityId)
  }
  async function apply({ campaignKeys, advertiserKeys }: Owners): Promise<void> {
    const campaigns = union(campaignKeys, refused.campaignKeys)
    const advertisers = union(advertiserKeys, refused.advertiserKeys)
    refused = {
      campaignKeys: await applyTo('campaigns', campaigns),
      advertiserKeys: await applyTo('advertisers', advertisers),
    }
  }

  return {
    async onChanges(changes) {
      const keysOf = (entity: string) => [
        ...new Set(changes.filter((c) => c.entity === entity).map((c) => Number(c.entityId))),
      ]
      for (const key of keysOf('budget_resets')) onReset(key)
      const campaignKeys = keysOf('campaigns')
      const advertiserKeys = keysOf('advertisers')
      const waiting = refused.campaignKeys.length + refused.advertiserKeys.length
      if (campaignKeys.length + advertiserKeys.length + waiting === 0) return
      await apply({ campaignKeys, advertiserKeys })
    },
    async onReload() {
      const cursor = await cursorNow(db)
      await apply(await listOwnersOfOpenDays(pool, clock.now()))
      return cursor
    },
  }
}
