import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import { daysToPrepare } from './auction-day.ts'
import { judgeFault } from './record-fault.ts'
import { addAuctions } from './store-auctions.ts'
import { addPartitions } from './store-partitions.ts'

export interface BatchDeps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

/**
 * `repeated`: were there already, because an answer was lost or the caller told twice. `refused`: no
 * database would take them.
 */
export type Written = Readonly<Record<'added' | 'repeated' | 'refused', number>>

/**
 * Writes a batch as a whole. If a row of it is refused, the batch is halved until the row is alone, so
 * that it takes no other with it. Throws only what may pass: then the whole batch can be written again.
 */
export async function writeBatch(deps: BatchDeps, rows: readonly string[]): Promise<Written> {
  try {
    const added = await addAuctions(deps.db, rows)
    return { added, repeated: rows.length - added, refused: 0 }
  } catch (error) {
    const fault = judgeFault(error)
    if (fault === 'passing') throw error
    if (fault === 'no-partition') {
      const made = await addPartitions(deps.db, daysToPrepare(deps.clock.now()))
      if (made.length > 0) return writeBatch(deps, rows)
    }
    if (rows.length > 1) return writeHalves(deps, rows)
    deps.log.error({ err: error, row: rows[0]?.slice(0, ROW_SHOWN) }, 'auction record refused')
    return { added: 0, repeated: 0, refused: 1 }
  }
}

const ROW_SHOWN = 200

async function writeHalves(deps: BatchDeps, rows: readonly string[]): Promise<Written> {
  const middle = rows.length >> 1
  const first = await writeBatch(deps, rows.slice(0, middle))
  const second = await writeBatch(deps, rows.slice(middle))
  return {
    added: first.added + second.added,
    repeated: first.repeated + second.repeated,
    refused: first.refused + second.refused,
  }
}
