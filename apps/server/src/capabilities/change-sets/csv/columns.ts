import { micros, toDecimal } from '@placard/money'
import type { TObject } from 'typebox'
import type { Resource } from '../../../platform/resources/index.ts'

/** One column of a file: a field of the API, with a heading and text that people read. */
export interface CsvColumn {
  readonly field: string
  readonly heading: string
  readonly type: 'text' | 'amount' | 'number' | 'boolean' | 'list'
  /** Set when a row is made, and changed later. */
  readonly isCreatable: boolean
  readonly isPatchable: boolean
}

interface FieldSchema {
  readonly type?: string
  readonly anyOf?: readonly FieldSchema[]
}

/** The columns of a resource: its id, what can be written, and what helps to read the rest. */
export function columnsOf(
  { create, patch }: Pick<Resource, 'create' | 'patch'>,
  shown: readonly string[],
): readonly CsvColumn[] {
  const written = Object.entries(create.properties as Record<string, FieldSchema>).flatMap(
    ([field, schema]) => {
      const type = typeOf(field, schema)
      return type
        ? [columnOf(field, type, { isCreatable: true, isPatchable: has(patch, field) })]
        : []
    },
  )
  const readOnly = { isCreatable: false, isPatchable: false }
  return [
    columnOf('id', 'text', readOnly),
    ...written,
    ...shown.map((field) => columnOf(field, 'text', readOnly)),
  ]
}

const has = ({ properties }: TObject, field: string) => field in properties

const columnOf = (
  field: string,
  type: CsvColumn['type'],
  may: Pick<CsvColumn, 'isCreatable' | 'isPatchable'>,
): CsvColumn => ({ field, heading: headingOf(field), type, ...may })

/** `budgetDailyMicros` → `Budget daily`. */
function headingOf(field: string): string {
  const words = field
    .replace(/Micros$/, '')
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Undefined for what no cell can hold. */
function typeOf(field: string, schema: FieldSchema): CsvColumn['type'] | undefined {
  if (field.endsWith('Micros')) return 'amount'
  const own = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
  if (own.type === 'integer' || own.type === 'number') return 'number'
  if (own.type === 'boolean') return 'boolean'
  if (own.type === 'array') return 'list'
  return own.type === 'object' ? undefined : 'text'
}

/** A value as the cell of a file. */
export function cellOf({ type }: CsvColumn, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (type === 'amount') return toDecimal(micros(BigInt(asText(value))))
  if (type === 'boolean') return value === true ? 'yes' : 'no'
  return Array.isArray(value) ? value.map(asText).join('; ') : asText(value)
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** What a cell says, or why it says nothing. */
export type Read = { readonly value: unknown } | { readonly fault: string }

const AMOUNT = /^(\d{1,9})(?:\.(\d{1,6}))?$/

export function readCell({ type }: CsvColumn, cell: string): Read {
  const text = cell.trim()
  if (type === 'list') return { value: text === '' ? [] : text.split(';').map((one) => one.trim()) }
  if (text === '') return { value: null }
  if (type === 'amount') {
    const [, whole, fraction = ''] = AMOUNT.exec(text) ?? []
    if (whole === undefined) return { fault: 'must be an amount such as 12.50' }
    return { value: String(BigInt(whole + fraction.padEnd(6, '0'))) }
  }
  if (type === 'number') {
    const value = Number(text)
    return Number.isFinite(value) ? { value } : { fault: 'must be a number' }
  }
  if (type === 'boolean') {
    const word = text.toLowerCase()
    if (word !== 'yes' && word !== 'no') return { fault: 'must be yes or no' }
    return { value: word === 'yes' }
  }
  return { value: text }
}

const plain = (heading: string) => heading.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** The column that a heading names: by its words, or as the API's field. */
export const columnNamed = (
  columns: readonly CsvColumn[],
  heading: string,
): CsvColumn | undefined =>
  columns.find(
    (column) => plain(column.heading) === plain(heading) || plain(column.field) === plain(heading),
  )
