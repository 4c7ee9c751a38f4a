import { createIndex, type DecisionIndex, finishLoad, type Scorer } from '@placard/decision-engine'
import {
  type Change,
  type ChangeSubscriber,
  loadAtCursor,
} from '../../../platform/changes/changes.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { cursorNow, type FeedCursor } from '../../../platform/database/ordered-feed.ts'
import { systemLoad } from '../../../platform/background/load.ts'
import { SetAside } from '../../../platform/set-aside/set-aside.ts'
import type { RefusedRow } from '../../../platform/set-aside/store.ts'
import type { TableName } from './catalogue-rows.ts'
import { Content } from './content.ts'
import {
  countAds,
  findDependents,
  listRows,
  pagesOfRows,
  pagesOfStamps,
  pagesOfSums,
  planForAllRows,
} from './reads.ts'
import { ShelfStock } from './applied-rows.ts'
import { type Held, SHELVES } from './table-appliers.ts'

const INDEX_READER = 'decisions.index'

export interface CatalogueDeps {
  readonly db: Database
  readonly clock: Clock
  readonly budgets: Held['budgets']
  readonly scorer?: Scorer
  /** A row is refused, and set aside. */
  onRefused?(row: RefusedRow): void
}

/** Everything that can be decided on, in memory: as fresh as the change feed. */
export interface Catalogue {
  readonly index: DecisionIndex
  readonly content: Content
  /** Where to follow the change feed from. */
  readonly cursor: FeedCursor
  readonly subscriber: ChangeSubscriber
  readonly freshness: Freshness
  /** What the index refuses. */
  readonly setAside: SetAside
}

export interface Freshness {
  /** When the index last agreed with the database as far as the feed tells. */
  syncedAt: Date
  /** How long the newest applied change had been written before. */
  lagMs: number
  /** Units that a reconciliation found different: more than a few mean that the feed loses changes. */
  repaired: number
  /** How long the change feed has stood still: whoever follows it says so here. */
  stalledMs(): number
}

/** Loads the catalogue in one snapshot; from then on the subscriber keeps it, in place. */
export async function openCatalogue(deps: CatalogueDeps): Promise<Catalogue> {
  const { db, clock, budgets, scorer } = deps
  const content = new Content()
  const setAside = new SetAside({ ...deps, reader: INDEX_READER })
  const { cursor, loaded } = await loadAtCursor(db, async (db) => {
    await planForAllRows(db)
    const index = createIndex({
      expectedAds: await countAds(db),
      ...(scorer !== undefined && { scorer }),
    })
    const stocks = stocksFor({ index, content, budgets }, setAside)
    for (const stock of stocks.values()) {
      for await (const rows of pagesOfRows(db, stock.table)) stock.load(rows)
    }
    finishLoad(index)
    return { index, stocks }
  })
  const { index, stocks } = loaded
  const freshness: Freshness = { syncedAt: clock.now(), lagMs: 0, repaired: 0, stalledMs: () => 0 }
  const keeper = { db, clock, stocks, freshness, setAside }
  await saveUnlessAway(setAside)

  return {
    index,
    content,
    cursor,
    freshness,
    setAside,
    subscriber: {
      onChanges: (changes) => applyChanges(keeper, changes),
      async onReload() {
        const cursor = await cursorNow(db)
        await reconcile(keeper)
        return cursor
      },
      async onReconcile() {
        freshness.repaired += await reconcile(keeper)
      },
    },
  }
}

type Stocks = ReadonlyMap<string, ShelfStock>

interface Keeper {
  readonly db: Database
  readonly clock: Clock
  readonly stocks: Stocks
  readonly freshness: Freshness
  readonly setAside: SetAside
}

function stocksFor(held: Held, setAside: SetAside): Stocks {
  const tables = Object.keys(SHELVES) as TableName[]
  return new Map(tables.map((table) => [table, new ShelfStock(table, held, setAside)]))
}

/** The list for people must not keep the index from its work: what was not saved is saved next time. */
const saveUnlessAway = (setAside: SetAside, terms?: { readonly all: boolean }): Promise<void> =>
  setAside.save(terms).catch(() => {})

/** Reads what changed as it is now, some units of a table per query, and puts it in place. */
async function applyChanges(keeper: Keeper, changes: readonly Change[]): Promise<void> {
  const { clock, freshness } = keeper
  const unitsOf = new Map<string, Set<number>>()
  for (const { entity, entityId } of changes) noteUnits(unitsOf, entity, [Number(entityId)])
  for (const [parent, units] of unitsOf) {
    for (const found of await findDependents(keeper.db, parent, [...units])) {
      noteUnits(unitsOf, found.table, found.units)
    }
  }
  for (const [table, units] of unitsOf) await refreshUnits(keeper, table, [...units])

  const now = clock.now()
  freshness.syncedAt = now
  freshness.lagMs = Math.max(0, now.getTime() - changes.at(-1)!.changedAt.getTime())
  await saveUnlessAway(keeper.setAside)
}

function noteUnits(
  unitsOf: Map<string, Set<number>>,
  table: string,
  units: readonly number[],
): void {
  const noted = unitsOf.get(table) ?? new Set()
  for (const unit of units) noted.add(unit)
  unitsOf.set(table, noted)
}

/** A query costs as much as a hundred rows; but its answer is read in one go, and requests wait for that. */
const UNITS_READ_TOGETHER = 64

async function refreshUnits(
  { db, stocks }: Keeper,
  table: string,
  units: readonly number[],
): Promise<number> {
  const stock = stocks.get(table)
  if (stock === undefined) return 0
  let changed = 0
  for (let at = 0; at < units.length; at += UNITS_READ_TOGETHER) {
    const read = units.slice(at, at + UNITS_READ_TOGETHER)
    const rowsOf = Map.groupBy(await listRows(db, stock.table, read), ({ unit }) => unit)
    for (const unit of read) {
      const rows = rowsOf.get(unit) ?? []
      const isChanged = await systemLoad.run(() => stock.refresh(unit, rows))
      if (isChanged) changed++
    }
  }
  return changed
}

/**
 * Compares the sums of stamps, the stamps where sums differ, and reads again what is different: what
 * is as it should be costs next to nothing, and it nearly always is. Returns how many were not.
 */
async function reconcile(keeper: Keeper): Promise<number> {
  const { db, stocks, clock, freshness } = keeper
  let repaired = 0
  for (const stock of stocks.values()) {
    repaired += await refreshUnits(keeper, stock.table, await findDiffering(db, stock))
  }
  freshness.syncedAt = clock.now()
  await saveUnlessAway(keeper.setAside, { all: true })
  return repaired
}

function findDiffering(db: Database, stock: ShelfStock): Promise<readonly number[]> {
  return db.transaction(
    async (db) => {
      await planForAllRows(db)
      const sums = new Map<number, number>()
      for await (const page of pagesOfSums(db, stock.table)) {
        for (const { span, sum } of page) sums.set(span, sum)
      }
      const spans = stock.differingSpans(sums)
      if (spans.length === 0) return []
      const stamps = new Map<number, number>()
      for await (const page of pagesOfStamps(db, stock.table, spans)) {
        for (const { unit, stamp } of page) stamps.set(unit, (stamps.get(unit) ?? 0) + stamp)
      }
      return stock.differing(spans, stamps)
    },
    { accessMode: 'read only' },
  )
}
