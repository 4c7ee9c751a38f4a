import { csvLine } from '../../reports/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { deriveSellpageStats, type StatCounts } from '../providers/stat.ts'
import { rangeOf } from './operations.ts'
import { listSellpageStats, type SellpageQuery, sumSellpageStats } from './reads-sellpages.ts'

const ROWS_MAX = 5_000

interface SellpageTerms extends Omit<SellpageQuery, 'from' | 'to' | 'by'> {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly by?: SellpageQuery['by'] | undefined
}

/** Rows and their sums, read from one snapshot. */
export async function readSellpageStats(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { by = 'sellpage', ...requested }: SellpageTerms,
) {
  const query = { ...requested, ...rangeOf(requested, clock.now()), by }
  const { rows, summary } = await db.transaction(
    async (db) => ({
      rows: await listSellpageStats(db, { ...query, limit: ROWS_MAX + 1 }),
      summary: await sumSellpageStats(db, query),
    }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
  return {
    rows: rows
      .slice(0, ROWS_MAX)
      .map(({ fields, counts }) => ({ ...fields, ...figuresOf(counts) })),
    summary: summary.map(({ counts, ...row }) => ({ ...row, ...figuresOf(counts) })),
    meta: { from: query.from, to: query.to, isCut: rows.length > ROWS_MAX },
  }
}

export type SellpageReport = Awaited<ReturnType<typeof readSellpageStats>>

/** Orders are purchases, and revenue is their value: no other event has either. */
function figuresOf(counts: StatCounts) {
  const { cpc: _, ...rates } = deriveSellpageStats(counts)
  return {
    adSpendMicros: String(counts.spendMicros),
    impressions: counts.impressions,
    linkClicks: counts.linkClicks,
    contentViews: counts.contentViews,
    addToCart: counts.addToCart,
    checkoutInitiated: counts.checkoutInitiated,
    purchases: counts.purchases,
    ordersCount: counts.purchases,
    revenueMicros: String(counts.purchaseValueMicros),
    ...rates,
  }
}

/** Decimal amounts, for people who open the file in a spreadsheet. */
const decimal = (micros: string): string => {
  const digits = micros.padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/(\.\d\d)0+$/, '$1')
}

type ReportRow = SellpageReport['rows'][number]
const COLUMNS: readonly (readonly [heading: string, value: (row: ReportRow) => string | number])[] =
  [
    ['Sellpage', ({ name }) => name],
    ['Address', ({ url }) => url],
    ['Source', ({ adSource }) => (adSource === 'META' ? 'Meta' : 'Onsite')],
    ['Day', ({ date }) => date ?? ''],
    ['Currency', ({ currency }) => currency],
    ['Spend', ({ adSpendMicros }) => decimal(adSpendMicros)],
    ['Impressions', ({ impressions }) => impressions],
    ['Clicks', ({ linkClicks }) => linkClicks],
    ['Content views', ({ contentViews }) => contentViews],
    ['Added to cart', ({ addToCart }) => addToCart],
    ['Checkouts', ({ checkoutInitiated }) => checkoutInitiated],
    ['Orders', ({ ordersCount }) => ordersCount],
    ['Revenue', ({ revenueMicros }) => decimal(revenueMicros)],
    ['CPM', ({ cpm }) => cpm],
    ['Clicks per impression (CR1)', ({ cr1 }) => cr1],
    ['Orders per click (CR2)', ({ cr2 }) => cr2],
    ['Orders per content view (CR3)', ({ cr3 }) => cr3],
    ['Cost per order', ({ costPerPurchase }) => costPerPurchase],
    ['ROAS', ({ roas }) => roas],
  ]

export const sellpageCsv = ({ rows }: SellpageReport): string =>
  [
    COLUMNS.map(([heading]) => heading),
    ...rows.map((row) => COLUMNS.map(([, value]) => value(row))),
  ]
    .map(csvLine)
    .join('')
