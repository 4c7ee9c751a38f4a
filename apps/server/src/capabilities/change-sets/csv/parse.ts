/** Rows of a CSV file (RFC 4180), each with the line where it begins. */
export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

export type Parsed = { readonly rows: readonly CsvRow[] } | { readonly openQuoteAt: number }

/** A quoted cell, or one without quotes; then the comma or the end of the line. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|\r|$)/y

/** Reads a whole file. Empty lines are left out. */
export function parseCsv(text: string): Parsed {
  const rows: CsvRow[] = []
  let cells: string[] = []
  let [line, begun] = [1, 1]
  CELL.lastIndex = text.startsWith('\uFEFF') ? 1 : 0
  while (CELL.lastIndex < text.length || cells.length > 0) {
    const found = CELL.exec(text)
    if (!found) return { openQuoteAt: line }
    const [whole, quoted, plain = '', end] = found
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    line += linesIn(whole)
    if (end === ',') continue
    if (cells.some((cell) => cell !== '')) rows.push({ line: begun, cells })
    cells = []
    begun = line
    if (end === '') break
  }
  return { rows }
}

const linesIn = (text: string) => text.split(/\r\n|\r|\n/).length - 1
