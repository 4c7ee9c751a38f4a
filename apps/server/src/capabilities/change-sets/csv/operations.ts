import { CHANGE_SET_ROWS_MAX } from '@placard/contract/change-sets'
import { httpProblems } from '../../../platform/http/problems.ts'
import { Problem } from '../../../platform/problem.ts'
import {
  type Actor,
  listRows,
  listRowsById,
  type Resource,
  type ResourceDeps,
  type Values,
} from '../../../platform/resources/index.ts'
import { ad, campaign } from '../../campaigns/index.ts'
import { csvLine } from '../../reports/index.ts'
import { type ChangeSetDeps, draftRows } from '../operations.ts'
import { changeSetProblems } from '../problems.ts'
import type { ChangeSetRow, NewRow } from '../store.ts'
import { cellOf, columnsOf, type CsvColumn } from './columns.ts'
import { type CheckBody, idsIn, type PlannedLine, planImport } from './import.ts'

/** A list that is read and written as a file. */
export interface CsvThing {
  readonly entity: ChangeSetRow['entity']
  readonly plural: string
  readonly resource: Resource
  readonly columns: readonly CsvColumn[]
}

export const CSV_THINGS: readonly CsvThing[] = [
  {
    entity: 'campaign',
    plural: 'campaigns',
    resource: campaign,
    columns: columnsOf(campaign, ['status', 'advertiserName', 'currency']),
  },
  { entity: 'ad', plural: 'ads', resource: ad, columns: columnsOf(ad, ['campaignId']) },
]

const PAGE_ROWS = 200

/** The list as a file, which can be imported again. */
export async function exportCsv(
  deps: Pick<ResourceDeps, 'db' | 'clock'>,
  { columns, plural, resource }: CsvThing,
  { query, actor }: { query: Values; actor: Actor },
): Promise<string> {
  // What it shows beside a row is no part of the file.
  const { figures: _figures, ...plain } = resource
  const lines = [csvLine(columns.map(({ heading }) => heading))]
  let cursor: string | undefined
  do {
    const page = { ...query, limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) }
    const { items, nextCursor } = await listRows(deps, plain, {
      query: page,
      scope: actor.principal,
    })
    for (const row of items) {
      lines.push(csvLine(columns.map((column) => cellOf(column, row[column.field]))))
    }
    if (lines.length > CHANGE_SET_ROWS_MAX + 1) {
      throw new Problem(
        changeSetProblems.tooLarge,
        `It holds more than ${CHANGE_SET_ROWS_MAX.toLocaleString('en')} ${plural}.`,
      )
    }
    cursor = nextCursor
  } while (cursor !== undefined)
  return lines.join('')
}

interface ImportRequest {
  readonly csv: string
  readonly actor: Actor
  readonly checkCreate: CheckBody
  readonly checkPatch: CheckBody
}

/** A draft of what a file changes: rows with an id are changed, others made. */
export async function draftImport(
  deps: ChangeSetDeps,
  thing: CsvThing,
  { csv, actor, ...checks }: ImportRequest,
): Promise<Values> {
  const { resource, columns, plural } = thing
  const rows = await listRowsById(deps.db, resource, {
    publicIds: idsIn(csv),
    scope: actor.principal,
  })
  const known = new Map(rows.map((row) => [String(row['id']), row]))
  const { lines, faults } = planImport(csv, { columns, known, ...checks })
  if (faults.length > 0) {
    throw new Problem(httpProblems.invalidRequest, 'Nothing was imported.', faults)
  }
  return draftRows(deps, {
    title: `Import of ${plural}`,
    rows: lines.map((line) => rowOf(deps, thing, line)),
    actor,
  })
}

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

const rowOf = (
  { ids }: Pick<ResourceDeps, 'ids'>,
  { entity }: CsvThing,
  { row, line, change }: PlannedLine,
): NewRow => {
  const made = change?.do === 'create' ? change.fields['name'] : undefined
  return {
    entity,
    entityId: row ? String(row['id']) : ids.next(),
    name: `${textIn(made) ?? textIn(row?.['name']) ?? ''} (line ${line})`,
    currency: textIn(row?.['currency']) ?? null,
    version: Number(row?.['version'] ?? 0),
    change: change ?? { do: 'patch', fields: {} },
    ...(change ? {} : { outcome: 'unchanged' as const }),
  }
}
