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
import { AppliedRows } from './applied-rows.ts'
import { type CatalogueState, TABLE_APPLIERS } from './table-appliers.ts'

const INDEX_READER = 'decisions.index'

export interface CatalogueDeps {
  readonly db: Database
  readonly clock: Clock
  readonly budgets: CatalogueState['budgets']
  readonly scorer?: Scorer
  /** Called when a row is refused and set aside. */
  onRefused?(row: RefusedRow): void
}

/** Everything a decision reads, in memory, kept current by the change feed. */
export interface Catalogue {
  readonly index: DecisionIndex
  readonly content: Content
  /** Where to start following the change feed. */
  readonly cursor: FeedCursor
  readonly subscriber: ChangeSubscriber
  readonly freshness: Freshness
  /** The rows that the index refuses. */
  readonly setAside: SetAside
}

export interface Freshness {
  /** When the index last matched the database, as far as the feed knows. */
  syncedAt: Date
  /** Time from the commit of the newest applied change to its application. */
  lagMs: number
  /**
   * Units that reconciliations found different. More than a few mean that the feed loses changes.
   */
  repaired: number
  /** How long the change feed has stood still. Set by the process that follows it. */
  stalledMs(): number
}

/** Loads the catalogue in one snapshot. Afterwards the subscriber keeps it current in place. */
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
    const appliedByTable = appliedRowsFor({ index, content, budgets }, setAside)
    for (const applied of appliedByTable.values()) {
      for await (const rows of pagesOfRows(db, applied.table)) applied.load(rows)
    }
    finishLoad(index)
    return { index, appliedByTable }
  })
  const { index, appliedByTable } = loaded
  const freshness: Freshness = { syncedAt: clock.now(), lagMs: 0, repaired: 0, stalledMs: () => 0 }
  const keeper = { db, clock, appliedByTable, freshness, setAside }
  await saveIfAvailable(setAside)

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

type AppliedByTable = ReadonlyMap<string, AppliedRows>

interface Keeper {
  readonly db: Database
  readonly clock: Clock
  readonly appliedByTable: AppliedByTable
  readonly freshness: Freshness
  readonly setAside: SetAside
}

function appliedRowsFor(state: CatalogueState, setAside: SetAside): AppliedByTable {
  const tables = Object.keys(TABLE_APPLIERS) as TableName[]
  return new Map(tables.map((table) => [table, new AppliedRows(table, state, setAside)]))
}

/**
 * The list of refused rows is for people. If the database is unavailable, the next save writes it;
 * the index goes on.
 */
const saveIfAvailable = (setAside: SetAside, terms?: { readonly all: boolean }): Promise<void> =>
  setAside.save(terms).catch(() => {})

/** Reads the current rows of changed units, a few units per query, and applies them. */
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
  await saveIfAvailable(keeper.setAside)
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

/**
 * A query costs as much as 100 rows, but a long result blocks the event loop while it is parsed.
 */
const UNITS_READ_TOGETHER = 64

async function refreshUnits(
  { db, appliedByTable }: Keeper,
  table: string,
  units: readonly number[],
): Promise<number> {
  const applied = appliedByTable.get(table)
  if (applied === undefined) return 0
  let changed = 0
  for (let at = 0; at < units.length; at += UNITS_READ_TOGETHER) {
    const read = units.slice(at, at + UNITS_READ_TOGETHER)
    const rowsOf = Map.groupBy(await listRows(db, applied.table, read), ({ unit }) => unit)
    for (const unit of read) {
      const rows = rowsOf.get(unit) ?? []
      const isChanged = await systemLoad.run(() => applied.refresh(unit, rows))
      if (isChanged) changed++
    }
  }
  return changed
}

/**
 * Compares sums of stamps, then single stamps where sums differ, then reads the differing units
 * again. Costs almost nothing when nothing differs, the usual case. Returns the number of repaired
 * units.
 */
async function reconcile(keeper: Keeper): Promise<number> {
  const { db, appliedByTable, clock, freshness } = keeper
  let repaired = 0
  for (const applied of appliedByTable.values()) {
    repaired += await refreshUnits(keeper, applied.table, await findDiffering(db, applied))
  }
  freshness.syncedAt = clock.now()
  await saveIfAvailable(keeper.setAside, { all: true })
  return repaired
}

function findDiffering(db: Database, applied: AppliedRows): Promise<readonly number[]> {
  return db.transaction(
    async (db) => {
      await planForAllRows(db)
      const sums = new Map<number, number>()
      for await (const page of pagesOfSums(db, applied.table)) {
        for (const { span, sum } of page) sums.set(span, sum)
      }
      const spans = applied.differingSpans(sums)
      if (spans.length === 0) return []
      const stamps = new Map<number, number>()
      for await (const page of pagesOfStamps(db, applied.table, spans)) {
        for (const { unit, stamp } of page) stamps.set(unit, (stamps.get(unit) ?? 0) + stamp)
      }
      return applied.differing(spans, stamps)
    },
    { accessMode: 'read only' },
  )
}
