import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { failureOf } from '../database/failure.ts'
import { type RefusedRow, saveRefused, saveRound } from './store.ts'

export interface SetAsideOptions {
  readonly db: Database
  readonly clock: Clock
  /** `<capability>.<what-reads>`: the owner of these entries. */
  readonly reader: string
  /** A row is refused for the first time, or for a new reason. */
  onRefused?(row: RefusedRow): void
}

/** With more rows than this, single rows are no longer the problem; the rest is counted, not listed. */
const LISTED_MAX = 1_000

/**
 * Rows that one reader refuses, in memory, where decisions never wait. `save` writes them to the table;
 * if that fails, or the process dies first, the next `save` of this reader repairs it.
 */
export class SetAside {
  private readonly options: SetAsideOptions
  private readonly rows = new Map<string, RefusedRow>()
  /** True at first: entries of an earlier process may be outdated. */
  private isUnsaved = true

  constructor(options: SetAsideOptions) {
    this.options = options
  }

  get size(): number {
    return this.rows.size
  }

  refuse(entity: string, entityId: number, error: unknown): void {
    const key = `${entity} ${entityId}`
    const reason = reasonOf(error)
    const before = this.rows.get(key)
    if (before?.reason === reason) return
    const since = before?.since ?? this.options.clock.now()
    const row = { entity, entityId, reason, since }
    this.rows.set(key, row)
    this.isUnsaved = true
    this.options.onRefused?.(row)
  }

  /** The row is fine again, or gone. Returns whether it was refused until now. */
  clear(entity: string, entityId: number): boolean {
    const wasRefused = this.rows.delete(`${entity} ${entityId}`)
    if (wasRefused) this.isUnsaved = true
    return wasRefused
  }

  /** Writes what has changed; `all` writes everything, in case another process changed the entries. */
  async save({ all = false }: { readonly all?: boolean } = {}): Promise<void> {
    if (!this.isUnsaved && !(all && this.rows.size > 0)) return
    this.isUnsaved = false
    try {
      const { db, reader, clock } = this.options
      const refused = [...this.rows.values()].slice(0, LISTED_MAX)
      await saveRefused(db, reader, { refused, at: clock.now() })
    } catch (error) {
      this.isUnsaved = true
      throw error
    }
  }
}

export interface RoundDeps {
  readonly db: Database
  readonly clock: Clock
}

export interface Round<Row> {
  /** `<capability>.<what-reads>`. */
  readonly reader: string
  readonly entity: string
  readonly rows: readonly Row[]
  keyOf(row: Row): number
}

/**
 * Processes each row of a round. A row that fails is set aside and the others continue; one that succeeds
 * is taken back. Only an unavailable database ends the round, because no row would succeed. If the process
 * dies before the end, the next round reports instead.
 */
export async function forEachRow<Row>(
  { db, clock }: RoundDeps,
  { reader, entity, rows, keyOf }: Round<Row>,
  work: (row: Row) => Promise<void> | void,
): Promise<{ readonly refused: readonly RefusedRow[] }> {
  const refused: RefusedRow[] = []
  const takenIds: number[] = []
  for (const row of rows) {
    try {
      await work(row)
      takenIds.push(keyOf(row))
    } catch (error) {
      if (failureOf(error) === 'unavailable') throw error
      refused.push({ entity, entityId: keyOf(row), reason: reasonOf(error), since: clock.now() })
    }
  }
  if (rows.length > 0) await saveRound(db, reader, { entity, refused, takenIds, at: clock.now() })
  return { refused }
}

/**
 * The same for rows processed together. If the group fails, each half is tried, down to the single row
 * that fails alone. The work must be all or nothing, such as one transaction.
 */
export async function forEachPart<Row>(
  deps: RoundDeps,
  round: Round<Row>,
  work: (rows: readonly Row[]) => Promise<void>,
): Promise<{ readonly refused: readonly RefusedRow[] }> {
  const faults = new Map<Row, unknown>()
  const tryPart = async (rows: readonly Row[]): Promise<void> => {
    try {
      await work(rows)
    } catch (error) {
      if (failureOf(error) === 'unavailable') throw error
      const [only] = rows
      if (rows.length === 1) return void faults.set(only!, error)
      const middle = rows.length >> 1
      await tryPart(rows.slice(0, middle))
      await tryPart(rows.slice(middle))
    }
  }
  if (round.rows.length > 0) await tryPart(round.rows)
  return forEachRow(deps, round, (row) => {
    if (faults.has(row)) throw faults.get(row)
  })
}

const REASON_LENGTH_MAX = 500

/** The fault of the row, in the words of whoever refused it; never a query. */
export function reasonOf(error: unknown): string {
  const cause = innermost(error)
  const message = cause instanceof Error ? cause.message : String(cause)
  return message.replaceAll('\0', '').toWellFormed().slice(0, REASON_LENGTH_MAX)
}

function innermost(error: unknown): unknown {
  let inner = error
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause
  return inner
}
