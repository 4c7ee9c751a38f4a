import type { Database } from '../../../platform/database/connect.ts'
import { listDayCounts } from '../../reports/index.ts'
import { daysFrom, type StatCounts, type StatProvider, statRow } from './stat.ts'

const NOTHING: StatCounts = {
  spendMicros: 0n,
  impressions: 0,
  linkClicks: 0,
  contentViews: 0,
  addToCart: 0,
  checkoutInitiated: 0,
  purchases: 0,
  purchaseValueMicros: 0n,
}

/** Our own events, reported like another platform's: valid traffic by UTC day. */
export const onsiteProvider = ({ db }: { readonly db: Database }): StatProvider => ({
  adSource: 'ONSITE',
  days: 'latest',
  everyMinutes: 5,
  async fetchStats(request) {
    const { level, entities, from, to } = request
    const publicIds = entities.map(({ id }) => id)
    const counted = await listDayCounts(db, { level, publicIds, from, to })
    const found = new Map(counted.map((row) => [`${row.id} ${row.day}`, row]))
    const rows = entities.flatMap((entity) =>
      daysFrom(from, to).map((day) => {
        const own = found.get(`${entity.id} ${day}`)
        const counts = own
          ? {
              spendMicros: own.spendMicros,
              impressions: own.impressions,
              linkClicks: own.clicks,
              contentViews: own.contentViews,
              addToCart: own.addToCarts,
              checkoutInitiated: own.checkouts,
              purchases: own.purchases,
              purchaseValueMicros: own.revenueMicros,
            }
          : NOTHING
        return statRow(request, { entity, day, counts })
      }),
    )
    return { rows }
  },
})
