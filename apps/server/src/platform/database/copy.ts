import { from } from 'pg-copy-streams'
import { clientOf, type Database } from './connect.ts'

export interface CopyTarget {
  readonly table: string
  readonly columns: readonly string[]
}

/** What a field of a copied line is when there is nothing in it. */
export const COPY_NULL = '\\N'

/**
 * Adds rows in the cheapest way that PostgreSQL has: lines of fields with tabs between them, each ended
 * by a line feed. Within a transaction only, so that what is copied is all or nothing.
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

/** A text as a field of a copied line. */
export const copyField = (text: string): string =>
  SPECIAL.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (found) => ESCAPES[found]!) : text
