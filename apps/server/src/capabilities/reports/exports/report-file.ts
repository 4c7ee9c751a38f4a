import type { Database } from '../../../platform/database/connect.ts'
import { columnsInWords } from './columns-in-words.ts'
import { csvLine } from './csv.ts'
import { deriveMetrics, NO_SUMS } from '../metrics.ts'
import { judgeReach } from '../reach/reach.ts'
import { countReaders } from '../reach/reads-reach.ts'
import { forEachReportRow, type ReportRow } from '../reads.ts'
import { previousPeriod, type Question } from '../report.ts'

export type Shown = Readonly<Record<string, number | string | null>>
export type ReportFormat = 'csv' | 'json'

/** How a file looks. */
export interface FileStyle {
  readonly format: ReportFormat
  /** Of CSV: names of fields, or words for people. Default: fields. */
  readonly headings?: 'fields' | 'words' | undefined
  readonly compare?: 'previous-period' | undefined
}

/** A row with its dimensions and metrics, as every report shows it. */
export const showRow = (
  { dimensions, currency, sums }: ReportRow,
  { metrics }: Question,
): Shown => ({
  ...dimensions,
  currency,
  ...deriveMetrics(sums, metrics),
})

/** Adds the reach to rows, if the report asks for it. */
export async function withReach(
  db: Database,
  question: Question,
  rows: readonly ReportRow[],
): Promise<readonly ReportRow[]> {
  if (!question.metrics.includes('reach')) return rows
  const verdict = judgeReach(question)
  if (verdict.kind === 'refused') throw new Error(verdict.reason)
  const { level } = verdict
  const { days: daysBack } = previousPeriod(question)
  const isCompared = rows.some(({ previous }) => previous !== undefined)
  const now = await countReaders(db, rows, { question, level })
  const before = isCompared ? await countReaders(db, rows, { question, level, daysBack }) : []
  return rows.map(({ sums, previous, ...row }, at) => ({
    ...row,
    sums: { ...sums, reach: now[at]! },
    previous: previous && { ...previous, reach: before[at]! },
  }))
}

/**
 * Writes the whole report page by page, up to a maximum. Returns the number of rows, and whether
 * there were more.
 */
export async function writeReport(
  db: Database,
  question: Question,
  { rowsMax, take, ...style }: ReportWriting,
): Promise<{ readonly rows: number; readonly isCut: boolean }> {
  const writer = writerOf(question, style)
  const isCompared = style.compare !== undefined
  let written = 0
  let isCut = false
  const reading = { question, isCompared, rowsMax: rowsMax + 1 }
  await forEachReportRow(db, reading, async (rows, db) => {
    const kept = rows.slice(0, rowsMax - written)
    isCut ||= kept.length < rows.length
    const counted = await withReach(db, question, kept)
    await take(counted.map((row) => writer.row(row, written++)).join(''), written)
  })
  await take(writer.end(written), written)
  return { rows: written, isCut }
}

interface ReportWriting extends FileStyle {
  readonly rowsMax: number
  /** Receives each part of the file, and the number of rows written with it. */
  take(text: string, rows: number): Promise<void>
}

export interface ReportFile {
  readonly content: Buffer
  readonly rows: number
  /** There were more rows than a file may hold. */
  readonly isCut: boolean
}

/** A file for a mail: up to a maximum of rows and, within a page of rows, of bytes. */
export async function fileReport(
  db: Database,
  question: Question,
  { rowsMax, bytesMax, ...style }: FileStyle & { rowsMax: number; bytesMax: number },
): Promise<ReportFile> {
  const writer = writerOf(question, style)
  const isCompared = style.compare !== undefined
  const parts: Buffer[] = []
  let bytes = 0
  let written = 0
  let isCut = false
  const reading = { question, isCompared, rowsMax: rowsMax + 1 }
  await forEachReportRow(db, reading, async (rows, db) => {
    const kept = bytes >= bytesMax ? [] : rows.slice(0, rowsMax - written)
    isCut ||= kept.length < rows.length
    if (kept.length === 0) return
    const counted = await withReach(db, question, kept)
    const part = Buffer.from(counted.map((row) => writer.row(row, written++)).join(''))
    bytes += part.length
    parts.push(part)
  })
  const content = Buffer.concat([...parts, Buffer.from(writer.end(written))])
  return { content, rows: written, isCut }
}

interface Writer {
  row(row: ReportRow, at: number): string
  end(rows: number): string
}

function writerOf(question: Question, { format, headings, compare }: FileStyle): Writer {
  const isCompared = compare !== undefined
  if (format === 'json') return jsonWriter(question, isCompared)
  return csvWriter(
    headings === 'words' ? columnsInWords(question, isCompared) : fieldsOf(question, isCompared),
  )
}

type Columns = (row: ReportRow) => Shown

const csvWriter = (columns: Columns): Writer => ({
  row(row, at) {
    const shown = columns(row)
    return `${at === 0 ? csvLine(Object.keys(shown)) : ''}${csvLine(Object.values(shown))}`
  },
  end: () => '',
})

const fieldsOf =
  (question: Question, isCompared: boolean): Columns =>
  (row) => ({
    ...showRow(row, question),
    ...(isCompared &&
      Object.fromEntries(
        Object.entries(previousFigures(row, question)).map(([name, value]) => [
          `previous_${name}`,
          value,
        ]),
      )),
  })

/** Of a row that is new in this period, zeros. */
const previousFigures = ({ previous }: ReportRow, { metrics }: Question) =>
  deriveMetrics(previous ?? NO_SUMS, metrics)

const jsonWriter = (question: Question, isCompared: boolean): Writer => ({
  row(row, at) {
    const previous = isCompared && { previous: previousFigures(row, question) }
    return `${at === 0 ? '[' : ','}\n${JSON.stringify({ ...showRow(row, question), ...previous })}`
  },
  end: (rows) => (rows === 0 ? '[]\n' : '\n]\n'),
})
