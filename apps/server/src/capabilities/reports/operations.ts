import { DAY_MS } from '@placard/calendar'
import type { BannerStatsQuery, ReportQuery } from '@placard/contract/reports'
import type { Database } from '../../platform/database/connect.ts'
import { Problem } from '../../platform/problem.ts'
import { showRow, withReach } from './exports/report-file.ts'
import { deriveMetrics, rounded, safeDivide } from './metrics.ts'
import { listBannerStats } from './reads-banner-stats.ts'
import { reportProblems } from './problems.ts'
import { judgeReach } from './reach/reach.ts'
import { listReportRows, listTotals, type ReportRow } from './reads.ts'
import {
  areDaysInOrder,
  faultOfChannels,
  judgeQuestion,
  previousPeriod,
  type Question,
  type ReportScope,
} from './report.ts'
import { daysOf } from './saved/schedule.ts'

const LIMIT = 100

/** A query with its days. */
export type Dated<Query> = Omit<Query, 'from' | 'to' | 'period'> & {
  readonly from: string
  readonly to: string
}

/** The given days, or those of the period as of now. */
export function datedQuery<Query extends Pick<ReportQuery, 'from' | 'to' | 'period' | 'timeZone'>>(
  { from, to, period, ...query }: Query,
  at: Date,
): Dated<Query> {
  if (from && to) return { ...query, from, to }
  if (!period) throw new Problem(reportProblems.rangeInvalid, 'The period has no days.')
  return { ...query, ...daysOf(period, { at, timeZone: query.timeZone ?? 'UTC' }) }
}

/** Rows and totals of the same moment, read from one snapshot. */
export async function answerReport(db: Database, query: Dated<ReportQuery>, scope: ReportScope) {
  const question = questionOf(query, scope)
  const { limit = LIMIT, offset = 0 } = query
  const isCompared = query.compare !== undefined
  const { rows, totals } = await db.transaction(
    async (db) => ({
      rows: await withReach(
        db,
        question,
        await listReportRows(db, question, { isCompared, limit: limit + 1, offset }),
      ),
      totals: await withReach(
        db,
        { ...question, dimensions: [] },
        await listTotals(db, question, { isCompared }),
      ),
    }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
  const present = (row: ReportRow) => ({
    ...showRow(row, question),
    currency: row.currency,
    ...(isCompared && showPrevious(row, question)),
  })
  const previous = previousPeriod(question)
  const { from, to, timeZone } = question
  return {
    rows: rows.slice(0, limit).map(present),
    totals: totals.map(present),
    ...(rows.length > limit && { nextOffset: offset + limit }),
    from,
    to,
    timeZone,
    ...(isCompared && { previousFrom: previous.from, previousTo: previous.to }),
  }
}

export function questionOf(
  query: Dated<Omit<ReportQuery, 'limit' | 'offset' | 'compare'>>,
  scope: ReportScope,
): Question {
  const { dimensions, metrics, from, to, timeZone = 'UTC', traffic = 'valid' } = query
  const filters = { ...query.filters } as Record<string, readonly string[]>
  if (traffic === 'valid' && !filters['label']) filters['label'] = ['valid']
  const sort = (query.sort ?? []).map(({ by, direction = 'asc' }) => ({ by, direction }))
  const question = { scope, dimensions, metrics, from, to, timeZone, filters, sort }
  const verdict = judgeQuestion(question)
  if (verdict === 'fine') return refuseReach(refuseChannels(question))
  if (verdict === 'sort-unknown') {
    throw new Problem(reportProblems.sortUnknown, sort.map(({ by }) => by).join(', '))
  }
  throw new Problem(reportProblems.rangeInvalid, `From ${from} to ${to}.`)
}

function refuseChannels(question: Question): Question {
  const fault = faultOfChannels(question)
  if (fault === undefined) return question
  throw new Problem(reportProblems.channelsRefused, fault)
}

/** Readers are counted for some dimensions only. */
function refuseReach(question: Question): Question {
  if (!question.metrics.includes('reach')) return question
  const verdict = judgeReach(question)
  if (verdict.kind === 'level') return question
  throw new Problem(reportProblems.reachRefused, verdict.reason)
}

const showPrevious = ({ previous }: ReportRow, { metrics }: Question) => ({
  previous: previous ? deriveMetrics(previous, metrics) : null,
})

const BANNER_DAYS = 30
const BANNER_ROWS = 100

/** Counts of each banner on each past day, from `banner_stats`. */
export async function answerBannerStats(
  db: Database,
  query: BannerStatsQuery,
  { scope, at }: { readonly scope: ReportScope; readonly at: Date },
) {
  const to = query.to ?? isoDay(at.getTime() - DAY_MS)
  const from = query.from ?? isoDay(Date.parse(to) - (BANNER_DAYS - 1) * DAY_MS)
  if (!areDaysInOrder(from, to)) {
    throw new Problem(reportProblems.rangeInvalid, `From ${from} to ${to}.`)
  }
  const { limit = BANNER_ROWS, offset = 0 } = query
  const rows = await listBannerStats(db, { ...query, from, to, limit, offset }, scope)
  return {
    rows: rows.slice(0, limit).map((row) => {
      const impressions = Number(row.impressions)
      const clicks = Number(row.clicks)
      return { ...row, impressions, clicks, ctr: rounded(safeDivide(clicks * 100, impressions), 2) }
    }),
    ...(rows.length > limit && { nextOffset: offset + limit }),
    from,
    to,
  }
}

const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)
