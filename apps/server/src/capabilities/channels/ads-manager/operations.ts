import { DAY_MS } from '@placard/calendar'
import { CHANNEL_METRICS } from '@placard/contract/channels'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { Problem } from '../../../platform/problem.ts'
import { cutPage, pageFrom, type Values } from '../../../platform/resources/index.ts'
import { adSetProblems, campaignProblems } from '../../campaigns/index.ts'
import { deriveMetrics, NO_SUMS } from '../../reports/index.ts'
import { syncProblems } from '../problems.ts'
import { isVisible, listThings, type ListQuery, sumThings } from './reads.ts'
import { dayOf, daysAfter, type Level, type StatCounts } from '../providers/stat.ts'

const DAYS_SHOWN = 7
const DAYS_MAX = 800

interface ListDeps {
  readonly db: Database
  readonly clock: Clock
}

interface LevelQuery {
  readonly query: Values
  readonly scope: ListQuery['scope']
}

/** Rows, their sums and the next page, read from one snapshot. */
export async function listLevel(
  { db, clock }: ListDeps,
  level: Level,
  { query, scope }: LevelQuery,
) {
  const { from: first, to: last, ...rest } = query as { from?: string; to?: string }
  const { from, to } = rangeOf({ from: first, to: last }, clock.now())
  const page = pageFrom(rest)
  const { search } = rest as Values
  const filters = { ...page.filters, ...(search !== undefined && { search }) }
  const after = page.cursor?.publicId
  const question = { scope, from, to, after, filters, limit: page.limit + 1 }
  const { things, summary } = await db.transaction(
    async (db) => {
      await refuseUnseen(db, question)
      return {
        things: await listThings(db, level, question),
        summary: await sumThings(db, level, question),
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
  const { rows, nextCursor } = cutPage(things, page)
  return {
    rows: rows.map(({ publicId, currency, counts, fields }) => ({
      ...fields,
      id: publicId,
      currency,
      ...figuresOf(counts),
    })),
    summary: summary.map(({ counts, ...row }) => ({ ...row, ...figuresOf(counts) })),
    meta: { from, to, ...(nextCursor && { nextCursor }) },
  }
}

interface RangeQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Default: the last seven days. */
export function rangeOf(requested: RangeQuery, now: Date): { from: string; to: string } {
  const to = requested.to ?? dayOf(now)
  const from = requested.from ?? firstDayShown(to)
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (days >= 1 && days <= DAYS_MAX) return { from, to }
  throw new Problem(syncProblems.rangeInvalid, `From ${from} to ${to}: 1 to ${DAYS_MAX} days.`)
}

/** The year 1 has no week before it. */
const firstDayShown = (to: string): string =>
  Date.parse(to) - DAYS_SHOWN * DAY_MS < Date.parse('0001-01-01')
    ? to
    : daysAfter(to, 1 - DAYS_SHOWN)

/** A parent that the caller may not see is not found, rather than an empty list. */
async function refuseUnseen(db: Database, { filters, scope }: ListQuery): Promise<void> {
  const { campaignId, adSetId } = filters as { campaignId?: string; adSetId?: string }
  if (campaignId && !(await isVisible(db, { table: 'campaigns', publicId: campaignId }, scope))) {
    throw new Problem(campaignProblems.notFound, `campaign ${campaignId}`)
  }
  if (adSetId && !(await isVisible(db, { table: 'ad_sets', publicId: adSetId }, scope))) {
    throw new Problem(adSetProblems.notFound, `ad set ${adSetId}`)
  }
}

const SHARES = 10_000
const sharesOf = (count: number) => BigInt(Math.round(count * SHARES))

/** The report metrics, over the channels' figures. */
const figuresOf = (counts: StatCounts) =>
  deriveMetrics(
    {
      ...NO_SUMS,
      impressions: BigInt(counts.impressions),
      clicks: BigInt(counts.linkClicks),
      chargedMillis: counts.spendMicros * 1_000n,
      contentViews: sharesOf(counts.contentViews),
      addToCarts: sharesOf(counts.addToCart),
      checkouts: sharesOf(counts.checkoutInitiated),
      purchases: sharesOf(counts.purchases),
      revenue: counts.purchaseValueMicros * BigInt(SHARES),
    },
    CHANNEL_METRICS,
  )
