import { PassThrough, type Readable } from 'node:stream'
import type { ReportExport, ReportQuery } from '@placard/contract/reports'
import type { Database } from '../../platform/database/connect.ts'
import { Problem } from '../../platform/problem.ts'
import { csvLine } from './csv.ts'
import { deriveMetrics } from './metrics.ts'
import { reportProblems } from './problems.ts'
import {
  forEachReportRow,
  listReportRows,
  listTotals,
  type ReportRow,
  type Scope,
} from './reads.ts'
import { judgeQuestion, previousPeriod, type Question } from './report.ts'

const LIMIT = 100

/** Rows and totals of one moment: both are read from the same snapshot. */
export async function answerReport(db: Database, query: ReportQuery, scope: Scope) {
  const question = questionOf(query)
  const { limit = LIMIT, offset = 0 } = query
  const isCompared = query.compare !== undefined
  const { rows, totals } = await db.transaction(
    async (db) => ({
      rows: await listReportRows(db, question, { scope, isCompared, limit: limit + 1, offset }),
      totals: await listTotals(db, question, { scope, isCompared }),
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

function questionOf(query: Omit<ReportQuery, 'limit' | 'offset' | 'compare'>): Question {
  const { dimensions, metrics, from, to, timeZone = 'UTC', traffic = 'valid' } = query
  const filters = { ...query.filters } as Record<string, readonly string[]>
  if (traffic === 'valid' && !filters['label']) filters['label'] = ['valid']
  const sort = (query.sort ?? []).map(({ by, direction = 'asc' }) => ({ by, direction }))
  const question: Question = { dimensions, metrics, from, to, timeZone, filters, sort }
  const verdict = judgeQuestion(question)
  if (verdict === 'fine') return question
  if (verdict === 'sort-unknown') {
    throw new Problem(reportProblems.sortUnknown, sort.map(({ by }) => by).join(', '))
  }
  throw new Problem(reportProblems.rangeInvalid, `From ${from} to ${to}.`)
}

type Shown = Readonly<Record<string, number | string | null>>

const showRow = ({ dimensions, currency, sums }: ReportRow, { metrics }: Question): Shown => ({
  ...dimensions,
  currency,
  ...deriveMetrics(sums, metrics),
})

const showPrevious = ({ previous }: ReportRow, { metrics }: Question) => ({
  previous: previous ? deriveMetrics(previous, metrics) : null,
})

const ROWS_MAX = 5_000_000

/** The whole report as a stream; the database is read as fast as the reader takes it, and no faster. */
export function exportReport(db: Database, query: ReportExport, scope: Scope): Readable {
  const question = questionOf(query)
  const writer = query.format === 'json' ? jsonWriter : csvWriter
  const stream = new PassThrough()
  void write(db, { question, scope, writer, stream }).catch((error: Error) => stream.destroy(error))
  return stream
}

interface Writing {
  readonly question: Question
  readonly scope: Scope
  readonly writer: Writer
  readonly stream: PassThrough
}

async function write(db: Database, { question, scope, writer, stream }: Writing): Promise<void> {
  let written = 0
  await forEachReportRow(db, { question, scope, rowsMax: ROWS_MAX }, async (rows) => {
    if (stream.destroyed) throw new Error('The reader of the report has left')
    const text = rows.map((row) => writer.row(showRow(row, question), written++)).join('')
    if (!stream.write(text)) await roomIn(stream)
  })
  stream.end(writer.end(written))
}

/** Until the reader has taken what is there, or has left. */
const roomIn = (stream: PassThrough): Promise<void> =>
  new Promise((resolve) => {
    const goOn = () => {
      stream.off('drain', goOn).off('close', goOn)
      resolve()
    }
    stream.on('drain', goOn).on('close', goOn)
  })

interface Writer {
  row(row: Shown, at: number): string
  end(rows: number): string
}

const csvWriter: Writer = {
  row: (row, at) => `${at === 0 ? csvLine(Object.keys(row)) : ''}${csvLine(Object.values(row))}`,
  end: () => '',
}

const jsonWriter: Writer = {
  row: (row, at) => `${at === 0 ? '[' : ','}\n${JSON.stringify(row)}`,
  end: (rows) => (rows === 0 ? '[]\n' : '\n]\n'),
}
