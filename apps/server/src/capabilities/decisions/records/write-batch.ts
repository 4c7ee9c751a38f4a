import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { daysToPrepare } from './auction-day.ts'
import type { PackedBatch } from './packed-batch.ts'
import { judgeFault } from './write-fault.ts'
import { addAuctions, knownAuctions } from './store-auctions.ts'
import { addPartitions } from './store-partitions.ts'

export interface BatchDeps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

/**
 * `repeated`: stored already, because an answer was lost or the caller reported twice. `refused`:
 * no database would take them.
 */
export type Written = Readonly<Record<'added' | 'repeated' | 'refused', number>>

/**
 * Writes a batch as a whole. Rows that are stored already, because an answer was lost or the caller
 * reported twice, are left out and the rest is written again. If a row is refused, the batch is
 * halved until that row is alone. Throws only transient errors: the whole batch can be written
 * again.
 */
export async function writeBatch(deps: BatchDeps, batch: PackedBatch): Promise<Written> {
  try {
    await addAuctions(deps.db, batch)
    return { ...NONE, added: batch.size }
  } catch (error) {
    const fault = judgeFault(error)
    if (fault === 'transient') throw error
    if (fault === 'repeated') {
      const fresh = await withoutRepeats(deps.db, batch)
      const repeated = batch.size - fresh.size
      if (repeated > 0) return sum(await writeBatch(deps, fresh), { ...NONE, repeated })
    }
    if (fault === 'no-partition') {
      const made = await addPartitions(deps.db, daysToPrepare(deps.clock.now()))
      if (made.length > 0) return writeBatch(deps, batch)
    }
    if (batch.size > 1) return writeHalves(deps, batch)
    deps.log.error(
      { err: error, row: batch.lineAt(0).slice(0, ROW_SHOWN) },
      'auction record refused',
    )
    return { ...NONE, refused: 1 }
  }
}

const ROW_SHOWN = 200
const NONE: Written = { added: 0, repeated: 0, refused: 0 }

async function writeHalves(deps: BatchDeps, batch: PackedBatch): Promise<Written> {
  const middle = batch.size >> 1
  const first = await writeBatch(
    deps,
    batch.filter((at) => at < middle),
  )
  return sum(
    first,
    await writeBatch(
      deps,
      batch.filter((at) => at >= middle),
    ),
  )
}

const sum = (one: Written, other: Written): Written => ({
  added: one.added + other.added,
  repeated: one.repeated + other.repeated,
  refused: one.refused + other.refused,
})

async function withoutRepeats(db: Database, batch: PackedBatch): Promise<PackedBatch> {
  const known = new Set(await knownAuctions(db, batch))
  const ids = batch.ids()
  return batch.filter((at) => !known.has(ids[at]!) && known.add(ids[at]!).size > 0)
}
