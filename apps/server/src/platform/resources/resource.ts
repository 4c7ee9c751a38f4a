import type { SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { TObject } from 'typebox'
import type { Random } from '../random.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import type { Principal } from '../http/principal.ts'
import type { Ids } from '../ids.ts'
import type { ProblemKind } from '../problem.ts'

/** A table of managed rows: see `managed()`, `owned()` and `softDeleted()`. A read-only one needs no version. */
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
  /** The problem if there is no such row, or none that the caller may see. */
  readonly problem: ProblemKind
  /** The new row belongs to the account of the row it names. */
  readonly givesAccount?: boolean
  /** May name rows of other accounts: a campaign runs on a publisher's placement. */
  readonly acrossAccounts?: boolean
  /** Fields of the view read from the named row: view field → its column. */
  readonly shows?: Readonly<Record<string, string>>
}

/**
 * Something people manage: its fields, its table and its rules. Routes, paging, scope, versions and the
 * audit log follow from this declaration.
 */
export interface Resource<Table extends ResourceTable = ResourceTable> {
  /** Singular, in words: `ad set`. Names the routes, the path parameter and the audit entries. */
  readonly noun: string
  readonly plural: string
  /** Path of the routes, if it is not the plural: `/frequency/caps`. */
  readonly path?: string
  readonly tag: string
  readonly permission: string
  readonly table: Table
  readonly view: TObject
  readonly create: TObject
  readonly patch: TObject
  /** Query of the list: fields that are not about paging filter a column or reference. */
  readonly query: TObject
  readonly references: Readonly<Record<string, Reference>>
  /** Columns that `search` looks into, in the order of their index. */
  readonly searches?: readonly string[]
  /** Rows that match a word of a search elsewhere: a campaign by the name of its advertiser. */
  searchesFurther?(word: string): SQL
  /** Filters of the list that are no columns of the table. */
  readonly filters?: Readonly<Record<string, (value: unknown) => SQL>>
  /** Orders of the list by values that are no columns of the table, or that may be null. */
  readonly orders?: Readonly<Record<string, Order>>
  readonly problems: {
    readonly notFound: ProblemKind
    readonly alreadyDeleted?: ProblemKind
    readonly notDeleted?: ProblemKind
  }
  /** Unique indexes by name, with the problem when one refuses a row. */
  readonly uniques?: Readonly<Record<string, ProblemKind>>
  /**
   * Computes fields from other fields or rows and checks rules across rows: locks what it reads, throws a
   * Problem if a rule is broken. Runs before `check`, but not on delete.
   */
  complete?(
    db: Database,
    row: RowOf<Table>,
    facts: CheckFacts<Table>,
  ): Promise<Partial<RowOf<Table>>>
  /**
   * Locks the row's parents before the row itself: parents before children in every transaction, so
   * that there are no deadlocks.
   */
  lockParents?(db: Database, row: NamedRow): Promise<void>
  /** Whether the seller writes the fields that the contract marks with this condition. */
  isGuarded?(db: Database, row: RowOf<Table>, condition: string): Promise<boolean>
  /** Columns naming further accounts that may read the row but not change it. */
  readonly readers?: readonly string[]
  /** Throws a Problem if the row, as it would be saved, breaks a rule. */
  check?(row: RowOf<Table>, facts: CheckFacts<Table>): void
  /** Fields of the view that are read from elsewhere for each answer. They are no part of the row's history. */
  readonly figures?: Figures
  /** Throws a Problem if the row must stay. */
  beforeDelete?(db: Database, row: RowOf<Table>): Promise<void>
  /** Further changes in the same transaction. */
  afterChange?(db: Database, change: Change<Table>, deps: ResourceDeps): Promise<void>
}

/** Orders a list by a value of each row. Rows without one come last. */
export interface Order {
  readonly type: 'bigint' | 'date' | 'text'
  /** The value, and the joins it needs. */
  read(now: Date): { readonly value: SQL; readonly joins?: SQL }
}

/** Fields that answers show beside the row: what has been spent today. */
export interface Figures {
  readonly fields: readonly string[]
  /** Values of the fields, by internal key. */
  read(
    deps: ReadDeps,
    keys: readonly bigint[],
  ): Promise<ReadonlyMap<bigint, Readonly<Record<string, unknown>>>>
}

export type ReadDeps = Pick<ResourceDeps, 'db' | 'clock'>

/** A row by its public id, the rows a body names, or both. */
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
  /** Stores a proposal. Without it, fields that the caller cannot write are refused. */
  propose?(db: Database, proposed: ProposedFields): Promise<ProposalSummary | undefined>
  /** Writes an audit entry in the same transaction. */
  audit(db: Database, entry: AuditEntry): Promise<void>
}

/** Values that somebody proposes for fields that only the seller writes. */
export interface ProposedFields {
  readonly actor: Actor
  readonly resource: Resource
  readonly row: Readonly<Record<string, unknown>>
  /** The row as the API shows it. */
  readonly shown: Readonly<Record<string, unknown>>
  /** Fields that would change the row. */
  readonly fields: Readonly<Record<string, unknown>>
  /** All fields sent: sending the current value withdraws an earlier proposal. */
  readonly sent: readonly string[]
}

/** What the answer says about the proposal. */
export interface ProposalSummary {
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
