import { eq } from 'drizzle-orm'
import type { Database } from '../database/connect.ts'
import { Problem } from '../problem.ts'
import { switchProblems } from './problems.ts'
import type { Switch, SwitchState } from './switch.ts'
import { switches } from './tables.ts'

const columns = {
  name: switches.name,
  isOn: switches.isOn,
  note: switches.note,
  version: switches.version,
  updatedAt: switches.updatedAt,
  updatedBy: switches.updatedBy,
}

type Row = Pick<typeof switches.$inferSelect, keyof typeof columns>

/** State of every defined switch. Rows without a definition belong to another release. */
export async function listSwitches(
  db: Database,
  definitions: readonly Switch[],
): Promise<readonly SwitchState[]> {
  const rows = await db.select(columns).from(switches)
  const byName = new Map(rows.map((row) => [row.name, row]))
  return definitions.map((definition) => stateOf(definition, byName.get(definition.name)))
}

export interface TurnSwitch {
  readonly name: string
  readonly isOn: boolean
  readonly note: string
  readonly at: Date
  /** Public id of the user or key; undefined for the system itself. */
  readonly by: string | undefined
  /** The version the caller has seen; refused if it has changed. */
  readonly version?: number
}

export interface TurnSwitchDeps {
  readonly definitions: readonly Switch[]
  /** Writes an audit entry in the same transaction. */
  audit(db: Database, turned: { before: SwitchState; after: SwitchState }): Promise<void>
}

export async function turnSwitch(
  db: Database,
  { definitions, audit }: TurnSwitchDeps,
  change: TurnSwitch,
): Promise<SwitchState> {
  const definition = definitions.find(({ name }) => name === change.name)
  if (!definition) throw new Problem(switchProblems.notFound, change.name)

  return db.transaction(async (db) => {
    const row = await lockSwitch(db, definition, change.at)
    const before = stateOf(definition, row)
    if (change.version !== undefined && change.version !== before.version) {
      throw new Problem(switchProblems.changed, `${change.name} has version ${before.version}`)
    }
    const after = stateOf(definition, await saveSwitch(db, change, row.version + 1))
    await audit(db, { before, after })
    return after
  })
}

/** Creates the row first, so that two who turn a new switch at the same time have one to lock. */
async function lockSwitch(db: Database, definition: Switch, at: Date): Promise<Row> {
  const untouched = { isOn: definition.defaultOn, note: '', version: 0, updatedAt: at }
  await db
    .insert(switches)
    .values({ name: definition.name, ...untouched })
    .onConflictDoNothing()
  const [row] = await db
    .select(columns)
    .from(switches)
    .where(eq(switches.name, definition.name))
    .for('update')
  return row!
}

async function saveSwitch(db: Database, change: TurnSwitch, version: number): Promise<Row> {
  const { name, isOn, note, at, by } = change
  const [row] = await db
    .update(switches)
    .set({ isOn, note, version, updatedAt: at, updatedBy: by ?? null })
    .where(eq(switches.name, name))
    .returning(columns)
  return row!
}

function stateOf(definition: Switch, row: Row | undefined): SwitchState {
  if (!row || row.version === 0) {
    const untouched = { note: '', version: 0, updatedAt: undefined, updatedBy: undefined }
    return { ...definition, isOn: definition.defaultOn, ...untouched }
  }
  return { ...definition, ...row, updatedBy: row.updatedBy ?? undefined }
}
