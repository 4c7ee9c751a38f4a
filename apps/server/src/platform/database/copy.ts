import { from } from 'pg-copy-streams'
import { clientOf, type Database } from './connect.ts'

export interface CopyTarget {
  readonly table: string
  readonly columns: readonly string[]
}

/** NULL in a field of a copied line. */
export const COPY_NULL = '\\N'

/**
 * COPY, PostgreSQL's cheapest insert: tab-separated fields, one line per row. Only inside a
 * transaction, so that all rows are added or none.
 */
export function copyInto(
  transaction: Database,
  { table, columns }: CopyTarget,
  lines: Buffer,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const client = clientOf(transaction)
    const stream = client.query(from(`copy ${table} (${columns.join()}) from stdin`))
    stream.once('error', reject)
    stream.once('finish', resolve)
    stream.end(lines)
  })
}

const SPECIAL = /[\\\t\n\r]/
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
}

/** Text as a field of a copied line. */
export const copyField = (text: string): string =>
  SPECIAL.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (found) => ESCAPES[found]!) : text
