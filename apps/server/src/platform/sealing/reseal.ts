import type { Database } from '../database/connect.ts'
import type { JobContext } from '../jobs/job.ts'
import { type BoxSecrets, type Renew, type Renewal, renewalOf } from '../secret-box.ts'
import type { SealedColumn } from './sealed-column.ts'
import { countSealed, listSealed, type NewlySealed, saveSealed } from './store.ts'

export interface ResealDeps {
  readonly db: Database
  readonly secrets: BoxSecrets
  readonly sealedColumns: readonly SealedColumn[]
}

/** Stored secrets by what a round found and did. */
export type Resealed = Record<Renewal['state'], number>

const BATCH = 500

/**
 * Seals every stored secret with the current `ENCRYPTION_SECRET`. Each batch is saved by itself: a round
 * that is cut off leaves less to the next one.
 */
export async function resealSecrets(
  { db, secrets, sealedColumns }: ResealDeps,
  { progress, signal }: Pick<JobContext, 'progress' | 'signal'>,
): Promise<Resealed> {
  const found: Resealed = { current: 0, older: 0, unreadable: 0 }
  const counts = await Promise.all(sealedColumns.map((column) => countSealed(db, column)))
  const total = counts.reduce((sum, count) => sum + count, 0)

  for (const column of sealedColumns) {
    const renew = renewalOf(secrets, column.purpose)
    for (let after = '0'; ;) {
      signal.throwIfAborted()
      const batch = await listSealed(db, column, { after, limit: BATCH })
      const last = batch.at(-1)
      if (!last) break
      await resealBatch(db, { column, batch, renew, found })
      progress({ done: found.current + found.older + found.unreadable, total })
      after = last.id
    }
  }
  return found
}

interface Batch {
  readonly column: SealedColumn
  readonly batch: Awaited<ReturnType<typeof listSealed>>
  readonly renew: Renew
  readonly found: Resealed
}

async function resealBatch(db: Database, { column, batch, renew, found }: Batch): Promise<void> {
  const renewed: NewlySealed[] = []
  for (const { id, sealed: before } of batch) {
    const renewal = await renew(before)
    found[renewal.state]++
    if (renewal.state === 'older') renewed.push({ id, before, sealed: renewal.sealed })
  }
  if (renewed.length > 0) await saveSealed(db, column, renewed)
}
