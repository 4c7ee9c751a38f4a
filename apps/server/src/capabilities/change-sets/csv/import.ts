import type { Fault } from '../../../platform/problem.ts'
import type { Values } from '../../../platform/resources/index.ts'
import type { RowChange } from '../edit.ts'
import { cellOf, columnNamed, type CsvColumn, readCell } from './columns.ts'
import { type CsvRow, parseCsv } from './parse.ts'

/** Says what is wrong with a body, by field; an empty field stands for the body. */
export type CheckBody = (body: Values) => readonly { field: string; message: string }[]

export interface Importing {
  readonly columns: readonly CsvColumn[]
  /** Rows by id, as the API shows them now. */
  readonly known: ReadonlyMap<string, Values>
  readonly checkCreate: CheckBody
  readonly checkPatch: CheckBody
}

export interface PlannedLine {
  /** Undefined for a new row. */
  readonly row: Values | undefined
  readonly line: number
  /** Undefined if the line says what is so already. */
  readonly change: RowChange | undefined
}

export const ROWS_MAX = 5_000
const FAULTS_MAX = 1_000

/** The ids that a file names, so that the rows can be read. */
export function idsIn(text: string): readonly string[] {
  const parsed = parseCsv(text)
  if ('openQuoteAt' in parsed) return []
  const [head, ...rows] = parsed.rows
  const place = head?.cells.findIndex((heading) => heading.trim().toLowerCase() === 'id') ?? -1
  const ids = rows.map(({ cells }) => cells[place]?.trim().toLowerCase() ?? '')
  return [...new Set(ids.filter((id) => UUID.test(id)))].slice(0, ROWS_MAX + 1)
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What each line of a file changes; and every fault, by line and column. */
export function planImport(
  text: string,
  importing: Importing,
): { readonly lines: readonly PlannedLine[]; readonly faults: readonly Fault[] } {
  const parsed = parseCsv(text)
  if ('openQuoteAt' in parsed) {
    return failing(
      `line ${parsed.openQuoteAt}`,
      'has a quote that does not end, or text beside one',
    )
  }
  const [head, ...rows] = parsed.rows
  if (!head) return failing('line 1', 'must have headings')
  if (rows.length > ROWS_MAX) return failing('line 1', `must have at most ${ROWS_MAX} rows below`)
  const columns = head.cells.map((heading) => columnNamed(importing.columns, heading))
  const faults = headingFaults(head, columns)
  if (faults.length > 0) return { lines: [], faults }
  const lines = rows.map((row) =>
    planLine(row, { ...importing, all: importing.columns, columns: columns as CsvColumn[] }),
  )
  return {
    lines,
    faults: lines.flatMap((line) => line.faults).slice(0, FAULTS_MAX),
  }
}

const failing = (path: string, message: string) => ({ lines: [], faults: [{ path, message }] })

function headingFaults(
  { line, cells }: CsvRow,
  columns: readonly (CsvColumn | undefined)[],
): Fault[] {
  return cells.flatMap((heading, place) => {
    const column = columns[place]
    const path = `line ${line}, column ${heading.slice(0, 100)}`
    if (!column) return [{ path, message: 'is no column of this list' }]
    const isTwice = columns.indexOf(column) < place
    return isTwice ? [{ path, message: 'is there twice' }] : []
  })
}

type LineWithFaults = PlannedLine & { readonly faults: readonly Fault[] }

interface PlanningLine extends Importing {
  /** Columns of the list, also those that the file leaves out. */
  readonly all: readonly CsvColumn[]
}

function planLine({ line, cells }: CsvRow, importing: PlanningLine): LineWithFaults {
  const { columns, known, checkCreate, checkPatch } = importing
  const faults: Fault[] = []
  const note = (heading: string, message: string) =>
    faults.push({ path: `line ${line}, column ${heading}`, message })
  const idCell = cells[columns.findIndex(({ field }) => field === 'id')]?.trim().toLowerCase() ?? ''
  const row = known.get(idCell)
  if (idCell !== '' && !row) note('Id', 'names nothing that you can change here')
  if (cells.length > columns.length) note(`${columns.length + 1}`, 'has no heading')
  const fields: Values = {}
  for (const [place, column] of columns.entries()) {
    const cell = cells[place] ?? ''
    if (column.field === 'id' || (row && sameCell(column, row, cell))) continue
    if (!row && (!column.isCreatable || cell.trim() === '')) continue
    if (row && !column.isPatchable) {
      note(column.heading, 'cannot be changed')
      continue
    }
    const read = readCell(column, withoutGuard(cell))
    if ('fault' in read) note(column.heading, read.fault)
    else fields[column.field] = read.value
  }
  if (idCell === '' || row) {
    const told = new Set(faults.map(({ path }) => path))
    for (const { field, message } of (row ? checkPatch : checkCreate)(fields)) {
      const column = importing.all.find((one) => one.field === field)
      const heading = column?.heading ?? field
      if (told.has(`line ${line}, column ${heading}`)) continue
      note(heading, column?.type === 'amount' ? 'must be an amount above zero' : message)
    }
  }
  if (!row) return { row, line, change: { do: 'create', fields }, faults }
  const isSame = Object.keys(fields).length === 0
  return { row, line, change: isSame ? undefined : { do: 'patch', fields }, faults }
}

const sameCell = (column: CsvColumn, row: Values, cell: string) =>
  cell === cellOf(column, row[column.field]) ||
  withoutGuard(cell) === cellOf(column, row[column.field])

/** A quote before what a spreadsheet would run as a formula, as our own files have it. */
const withoutGuard = (cell: string) => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)
