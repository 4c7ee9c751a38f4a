import type { Me } from '../api/types.ts'
import { readInstant, readMoney, typedInstant, typedMoney } from '../ui/format/format.ts'
import { ownZone } from './presets.ts'
import type { Entry, FormValue, FormValues, ThingField } from './thing.ts'

type Row = Readonly<Record<string, unknown>>

/** Fields of the form, for a new thing or for one that is there. */
export const fieldsFor = (fields: readonly ThingField[], isNew: boolean) =>
  fields.filter(({ only }) => only === undefined || (only === 'make') === isNew)

/** The values that the form begins with. */
export function valuesOf(
  fields: readonly ThingField[],
  row: object | undefined,
  me: Me,
): FormValues {
  const shown = row && new Map<string, unknown>(Object.entries(row))
  return Object.fromEntries(
    fields.map(({ name, entry, preset }) => [
      name,
      shown ? shownValue(entry, shown.get(name)) : (preset?.(me) ?? emptyValue(entry)),
    ]),
  )
}

const emptyValue = ({ as }: Entry): FormValue =>
  as === 'switch' ? false : as === 'choices' ? [] : ''

function shownValue(entry: Entry, value: unknown): FormValue {
  if (value === null || value === undefined) return emptyValue(entry)
  if (typeof value === 'boolean') return value
  if (Array.isArray(value)) return entry.as === 'lines' ? value.join('\n') : value.map(String)
  if (typeof value !== 'string' && typeof value !== 'number') return emptyValue(entry)
  if (entry.as === 'instant') return typedInstant(String(value), ownZone())
  return entry.as === 'money' ? typedMoney(String(value)) : String(value)
}

/** The body that makes the thing. An optional field without a value is left out. */
export function newBody(fields: readonly ThingField[], values: FormValues): Row {
  const shown = fields.filter(({ when }) => when?.(values) ?? true)
  const given = shown.filter(({ name, isOptional }) => !(isOptional && isEmpty(values[name]!)))
  return Object.fromEntries(given.map(({ name, entry }) => [name, sent(entry, values[name]!)]))
}

/** The body that changes the thing: only what the user changed. An emptied field is cleared. */
export function changeBody(
  fields: readonly ThingField[],
  { before, values }: { readonly before: FormValues; readonly values: FormValues },
): Row {
  const changed = fields.filter(({ name }) => !areSame(before[name]!, values[name]!))
  return Object.fromEntries(
    changed.map(({ name, entry, isOptional }) => [
      name,
      isOptional && values[name] === '' && entry.as !== 'lines' ? null : sent(entry, values[name]!),
    ]),
  )
}

const isEmpty = (value: FormValue) =>
  typeof value === 'string' ? value.trim() === '' : typeof value !== 'boolean' && !value.length

const areSame = (one: FormValue, other: FormValue) => JSON.stringify(one) === JSON.stringify(other)

/** A value as the API takes it. What cannot be read is sent as typed, and the server says why not. */
function sent({ as }: Entry, value: FormValue): unknown {
  if (typeof value !== 'string') return value
  if (as === 'money') return readMoney(value) ?? value
  if (as === 'instant') return readInstant(value, ownZone()) ?? value
  if (as === 'number') return value.trim() === '' ? null : Number(value)
  if (as !== 'lines') return value
  return value
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}
