import type { Database } from '../../../platform/database/connect.ts'
import { csvLine } from './csv.ts'
import { deriveMetrics } from '../metrics.ts'
import { judgeReach } from '../reach/reach.ts'
import { countReaders } from '../reach/reads-reach.ts'
import { forEachReportRow, type ReportRow } from '../reads.ts'
import { previousPeriod, type Question } from '../report.ts'

export type Shown = Readonly<Record<string, number | string | null>>
export type ReportFormat = 'csv' | 'json'

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
  { format, rowsMax, take }: ReportWriting,
): Promise<{ readonly rows: number; readonly isCut: boolean }> {
  const writer = WRITERS[format]
  let written = 0
  let isCut = false
  await forEachReportRow(db, { question, rowsMax: rowsMax + 1 }, async (rows, db) => {
    const kept = rows.slice(0, rowsMax - written)
    isCut ||= kept.length < rows.length
    const counted = await withReach(db, question, kept)
    const text = counted.map((row) => writer.row(showRow(row, question), written++)).join('')
    await take(text, written)
  })
  await take(writer.end(written), written)
  return { rows: written, isCut }
}

interface ReportWriting {
  readonly format: ReportFormat
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
  { format, rowsMax, bytesMax }: { format: ReportFormat; rowsMax: number; bytesMax: number },
): Promise<ReportFile> {
  const writer = WRITERS[format]
  const parts: Buffer[] = []
  let bytes = 0
  let written = 0
  let isCut = false
  await forEachReportRow(db, { question, rowsMax: rowsMax + 1 }, async (rows, db) => {
    const kept = bytes >= bytesMax ? [] : rows.slice(0, rowsMax - written)
    isCut ||= kept.length < rows.length
    if (kept.length === 0) return
    const counted = await withReach(db, question, kept)
    const text = counted.map((row) => writer.row(showRow(row, question), written++)).join('')
    const part = Buffer.from(text)
    bytes += part.length
    parts.push(part)
  })
  const content = Buffer.concat([...parts, Buffer.from(writer.end(written))])
  return { content, rows: written, isCut }
}

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

const WRITERS: Readonly<Record<ReportFormat, Writer>> = { csv: csvWriter, json: jsonWriter }
