import { getTableColumns } from 'drizzle-orm'
import type { Static, TObject } from 'typebox'
import type { Resource } from './resource.ts'

export type Values = Record<string, unknown>

/** A row as the API shows it: the view's fields only, public ids, text for money and time. */
export function present(resource: Resource, record: Values): Values {
  const view: Values = {}
  for (const field of Object.keys(resource.view.properties)) {
    if (resource.figures?.fields.includes(field) && record[field] === undefined) continue
    view[field] = encode(
      field === 'id' ? record.publicId : (record[shown(field)] ?? own(resource, record, field)),
    )
  }
  return view
}

/** A reference shows the public id from the join, never the internal key of the column. */
function own(resource: Resource, record: Values, field: string): unknown {
  return field in resource.references ? null : record[field]
}

/** A record that is no managed row, such as a campaign placement: the view's fields only. */
export const presentAs = <View extends TObject>(view: View, record: object): Static<View> =>
  Object.fromEntries(
    Object.keys(view.properties).map((field) => [field, encode((record as Values)[field])]),
  ) as Static<View>

/** Column name under which a query returns what a reference shows. */
export const shown = (field: string) => `shown ${field}`

function encode(value: unknown): unknown {
  if (value === undefined) return null
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (typeof value === 'bigint') return String(value)
  return value
}

/** Fields of a valid body as column values. References are resolved elsewhere. */
export function decode(resource: Resource, body: Values): Values {
  const columns = getTableColumns(resource.table)
  const values: Values = {}
  for (const [field, value] of Object.entries(body)) {
    const column = columns[field]
    if (!column || field in resource.references) continue
    values[field] = decodeValue(column.dataType, value)
  }
  return values
}

function decodeValue(dataType: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (dataType === 'bigint') return BigInt(value)
  if (dataType === 'date') return new Date(value)
  return value
}
