import type { SetAside } from '../../../platform/set-aside/set-aside.ts'
import type { TableName, TableRow } from './catalogue-rows.ts'
import {
  type CatalogueState,
  type Member,
  type TableApplier,
  TABLE_APPLIERS,
} from './table-appliers.ts'

/** Records the units that the index refused. */
export type RefusedUnits = Pick<SetAside, 'refuse' | 'clear'>

interface KeptMember {
  readonly member: Member
  readonly stamp: number
}

/**
 * Compare stamp sums over 256 adjacent units first; compare single stamps only where a sum differs.
 */
export const SPAN_UNITS = 256
const spanOf = (unit: number) => Math.floor(unit / SPAN_UNITS)

type Sums = ReadonlyMap<number, number>

/**
 * What one table has put into the index, and its stamps, by unit. Unchanged rows are skipped: the
 * feed may repeat a change, and a reconciliation compares everything.
 */
export class AppliedRows<Table extends TableName = TableName> {
  readonly table: Table
  private readonly applier: TableApplier<Table>
  private readonly state: CatalogueState
  private readonly setAside: RefusedUnits
  /** The sum of a unit's row stamps, so that one comparison finds any changed row. */
  private readonly stamps = new Map<number, number>()
  private readonly sums = new Map<number, number>()
  private readonly members = new Map<number, readonly KeptMember[]>()

  constructor(table: Table, state: CatalogueState, setAside: RefusedUnits) {
    this.table = table
    this.applier = TABLE_APPLIERS[table]
    this.state = state
    this.setAside = setAside
  }

  /**
   * Puts rows of the first load. The index is still empty; a unit may continue on the next page.
   */
  load(rows: readonly TableRow<Table>[]): void {
    for (const row of rows) {
      this.put(row)
      this.note(row.unit, (this.stamps.get(row.unit) ?? 0) + row.stamp)
      const member = this.applier.memberOf?.(row)
      if (member === undefined) continue
      const kept = this.members.get(row.unit) ?? []
      this.members.set(row.unit, [...kept, { member, stamp: row.stamp }])
    }
  }

  /** Spans whose applied stamps do not add up to these sums. */
  differingSpans(sums: Sums): number[] {
    const isDifferent = (span: number) => (sums.get(span) ?? 0) !== (this.sums.get(span) ?? 0)
    return [...new Set([...sums.keys(), ...this.sums.keys()])].filter(isDifferent)
  }

  /** Units of these spans whose stamp differs, including units that no longer exist. */
  differing(spans: readonly number[], stamps: ReadonlyMap<number, number>): number[] {
    const differing: number[] = []
    for (const [unit, stamp] of stamps) if (this.stamps.get(unit) !== stamp) differing.push(unit)
    const looked = new Set(spans)
    for (const unit of this.stamps.keys()) {
      if (looked.has(spanOf(unit)) && !stamps.has(unit)) differing.push(unit)
    }
    return differing
  }

  /** Replaces the unit by these rows; no rows remove it. Returns whether anything changed. */
  refresh(unit: number, rows: readonly TableRow<Table>[]): boolean {
    const stamp = rows.reduce((sum, row) => sum + row.stamp, 0)
    const before = this.stamps.get(unit)
    if (before === stamp && rows.length > 0) return false
    if (before === undefined && rows.length === 0) return false

    const wasRefused = this.setAside.clear(this.table, unit)
    if (this.applier.memberOf === undefined) this.replaceRow(unit, rows[0])
    else this.replaceMembers(unit, rows, { putsAll: wasRefused })
    this.note(unit, rows.length === 0 ? undefined : stamp)
    return true
  }

  /**
   * Sets a row aside that the index, the content or the budget book refuses. Whatever it stands for
   * then serves less, never more. Its stamp is kept, so it is tried again only after a change.
   */
  private put(row: TableRow<Table>): void {
    try {
      this.applier.put(this.state, row)
    } catch (error) {
      this.setAside.refuse(this.table, row.unit, error)
      this.applier.refuse(this.state, row)
    }
  }

  private note(unit: number, stamp: number | undefined): void {
    const span = spanOf(unit)
    const change = (stamp ?? 0) - (this.stamps.get(unit) ?? 0)
    this.sums.set(span, (this.sums.get(span) ?? 0) + change)
    if (stamp === undefined) this.stamps.delete(unit)
    else this.stamps.set(unit, stamp)
  }

  private replaceRow(unit: number, row: TableRow<Table> | undefined): void {
    if (row === undefined) this.applier.remove(this.state, unit, unit)
    else this.put(row)
  }

  private replaceMembers(
    unit: number,
    rows: readonly TableRow<Table>[],
    { putsAll }: { readonly putsAll: boolean },
  ): void {
    const before = this.members.get(unit) ?? []
    const after = rows.map((row) => ({
      row,
      stamp: row.stamp,
      member: this.applier.memberOf!(row),
    }))
    for (const { member } of before) {
      const isGone = after.every((kept) => kept.member !== member)
      if (isGone) this.applier.remove(this.state, unit, member)
    }
    for (const { row, member, stamp } of after) {
      const known = before.find((kept) => kept.member === member)
      if (putsAll || known?.stamp !== stamp) this.put(row)
    }
    if (after.length === 0) this.members.delete(unit)
    else
      this.members.set(
        unit,
        after.map(({ member, stamp }) => ({ member, stamp })),
      )
  }
}
