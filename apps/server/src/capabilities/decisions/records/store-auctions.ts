import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { copyInto } from '../../../platform/database/copy.ts'
import type { PackedBatch } from './packed-batch.ts'
import { AUCTION_COLUMNS } from './record-line.ts'

const TARGET = { table: 'auctions', columns: AUCTION_COLUMNS }

/**
 * Adds a batch, its row for change followers, and its sums, all or nothing. Throws if a row exists
 * already. Sums are added in key order, so that nodes cannot deadlock.
 */
export async function addAuctions(db: Database, batch: PackedBatch): Promise<void> {
  if (batch.size === 0) return
  await db.transaction(async (db) => {
    const { rows: ids } = await db.execute(sql`select nextval('auction_batch_ids') as id`)
    const batchId = ids[0]!['id'] as string
    await copyInto(db, TARGET, batch.linesOf(batchId))
    await db.execute(sql`
      with noted as (
        insert into auction_batches (id, auctions, decided_days)
        values (${batchId}, ${batch.size}, ${sql.param(batch.sums.days())}::date[])
      )
      insert into auction_statistics as kept
        (bucket, placement_type, currency, auctions, won, priced, bids, winning_ecpm_micros)
      select s.bucket, s.type, s.currency, s.auctions, s.won, s.priced, s.bids, s.ecpm
        from jsonb_to_recordset(${JSON.stringify(batch.sums.rows())}::jsonb) as s (bucket timestamptz,
          type text, currency text, auctions bigint, won bigint, priced bigint, bids bigint, ecpm numeric)
       order by 1, 2, 3
      on conflict (bucket, placement_type, currency) do update set
        auctions = kept.auctions + excluded.auctions,
        won = kept.won + excluded.won,
        priced = kept.priced + excluded.priced,
        bids = kept.bids + excluded.bids,
        winning_ecpm_micros = kept.winning_ecpm_micros + excluded.winning_ecpm_micros`)
  })
}

/** Those ids that are stored already. */
export async function knownAuctions(db: Database, batch: PackedBatch): Promise<readonly string[]> {
  const { rows: known } = await db.execute(sql`
    select id from auctions
     where decided_on = any(${sql.param(batch.sums.days())}::date[])
       and id = any(${sql.param(batch.ids())}::uuid[])`)
  return known.map(({ id }) => id as string)
}

/** Removes what names or describes these readers from their auctions; the records stay. */
export async function eraseReadersFromAuctions(
  db: Database,
  userKeys: readonly string[],
): Promise<number> {
  const { rowCount } = await db.execute(sql`
    update auctions
       set user_key = null, session_key = null, address_key = null, context = context - 'segments' - 'lastPurchaseDaysAgo' - 'newVisitor'
     where user_key = any(${sql.param(userKeys)}::text[])`)
  return rowCount ?? 0
}
