import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { TObject } from 'typebox'
import type { Random } from '../random.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import type { Principal } from '../http/principal.ts'
import type { Ids } from '../ids.ts'
import type { ProblemKind } from '../problem.ts'

/** A table whose rows people manage: see `managed()`, `owned()` and `softDeleted()`. What is only read needs no version. */
export type ResourceTable = PgTable & {
  readonly id: PgColumn
  readonly publicId: PgColumn
  readonly version?: PgColumn
  readonly accountId?: PgColumn
  readonly deletedAt?: PgColumn
  readonly createdBy?: PgColumn
}

export type RowOf<Table extends ResourceTable> = Table['$inferSelect']

/** A field that names a row of another table by its public id. */
export interface Reference {
  readonly to: ResourceTable
  /** What a caller is told when there is no such row, or none that it may see. */
  readonly problem: ProblemKind
  /** The row that is made belongs to the same account as the row it names. */
  readonly givesAccount?: boolean
  /** Rows of other accounts may be named too: a campaign runs on somebody else's placement. */
  readonly acrossAccounts?: boolean
  /** Fields of the view that are read from the named row: view field → its column. */
  readonly shows?: Readonly<Record<string, string>>
}

/**
 * Something people manage: how it looks outside, where it lies, and its own rules. Routes, paging,
 * scoping, versions and the audit log follow from this one description.
 */
export interface Resource<Table extends ResourceTable = ResourceTable> {
  /** Singular, in words: `ad set`. Names the routes, the path parameter and the audit entries. */
  readonly noun: string
  readonly plural: string
  /** Where the routes lie when the plural does not say it: `/frequency/caps`. */
  readonly path?: string
  readonly tag: string
  readonly permission: string
  readonly table: Table
  readonly view: TObject
  readonly create: TObject
  readonly patch: TObject
  /** Query of the list: every field that is not about paging is a filter on the column or reference. */
  readonly query: TObject
  readonly references: Readonly<Record<string, Reference>>
  /** Columns that `search` looks into, in the order of their index. */
  readonly searches?: readonly string[]
  readonly problems: {
    readonly notFound: ProblemKind
    readonly alreadyDeleted?: ProblemKind
    readonly notDeleted?: ProblemKind
  }
  /** Names of unique indexes, and what a caller is told when one refuses. */
  readonly uniques?: Readonly<Record<string, ProblemKind>>
  /**
   * Fields that follow from others or from other rows, and rules across rows: locks what it reads,
   * throws a Problem when a rule is broken. Runs before `check`; not when a row is deleted.
   */
  complete?(
    db: Database,
    row: RowOf<Table>,
    facts: CheckFacts<Table>,
  ): Promise<Partial<RowOf<Table>>>
  /**
   * Locks the rows that the row stands in, before the row itself is locked: parents before children,
   * in every transaction, so that none waits for another in a ring.
   */
  holdAbove?(db: Database, row: NamedRow): Promise<void>
  /** Whether the seller writes the fields that the contract marks with this condition. */
  isGuarded?(db: Database, row: RowOf<Table>, condition: string): Promise<boolean>
  /** Columns with further accounts that may read the row, and never change it. */
  readonly readers?: readonly string[]
  /** Throws a Problem when the row as it would be saved breaks a rule. */
  check?(row: RowOf<Table>, facts: CheckFacts<Table>): void
  /** Throws a Problem when the row must stay. */
  beforeDelete?(db: Database, row: RowOf<Table>): Promise<void>
  /** What else must change in the same transaction. */
  afterChange?(db: Database, change: Change<Table>, deps: ResourceDeps): Promise<void>
}

/** A row by its public id, the rows that a body names, or both. */
export interface NamedRow {
  readonly publicId?: string
  readonly body?: Readonly<Record<string, unknown>>
}

export interface CheckFacts<Table extends ResourceTable> {
  readonly now: Date
  readonly before: RowOf<Table> | undefined
}

export interface Change<Table extends ResourceTable> {
  readonly actor: Actor
  readonly before: RowOf<Table> | undefined
  readonly after: RowOf<Table>
}

export interface AuditEntry {
  readonly actor: Actor
  readonly accountId: bigint | null
  readonly action: string
  readonly entity: string
  readonly entityId: string
  readonly before?: unknown
  readonly after?: unknown
}

export interface ResourceDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  /** Keeps what the caller can only propose; without it, such fields are refused. */
  propose?(db: Database, proposed: ProposedFields): Promise<ProposalNote | undefined>
  /** Writes who did what, in the same transaction. */
  audit(db: Database, entry: AuditEntry): Promise<void>
}

/** Fields of a row that the seller writes, as somebody else wants them. */
export interface ProposedFields {
  readonly actor: Actor
  readonly resource: Resource
  readonly row: Readonly<Record<string, unknown>>
  /** The row as the outside sees it. */
  readonly shown: Readonly<Record<string, unknown>>
  /** Those that would change the row. */
  readonly fields: Readonly<Record<string, unknown>>
  /** All that were asked for: one that asks for what is so takes an earlier proposal back. */
  readonly asked: readonly string[]
}

/** What the caller is told of its proposal. */
export interface ProposalNote {
  readonly id: string
  readonly fields: readonly string[]
  readonly message: string
}

/** Who acts, and in which request. */
export interface Actor {
  readonly principal: Principal
  readonly requestId: string
}

/** Keeps the table's own type for the rules inside, so that a declaration is checked as it is written. */
export const defineResource = <Table extends ResourceTable>(resource: Resource<Table>) => resource
