import type { JsonSchema } from './openapi.ts'

/** Bounds of a value in the contract. */
export type Bound = 'least' | 'most'
export const BOUNDS: readonly Bound[] = ['most', 'least']

const WIDE = '🦄'
/** Used where the contract gives no length. */
const LENGTH = 200

/** Smallest and largest values by format. */
const FORMATS: Readonly<Record<string, Readonly<Record<Bound, unknown>>>> = {
  'time-zone': { least: 'Pacific/Niue', most: 'America/Argentina/ComodRivadavia' },
  'content-category': { least: '1', most: 'JLBCU7' },
  'ad-product': { least: '1000', most: '1551' },
  date: { least: '1000-01-01', most: '2999-12-31' },
  'date-time': { least: '1000-01-01T00:00:00Z', most: '2999-12-31T23:59:59Z' },
}

/** Candidates for texts with a pattern; the first that matches is the bound. */
const FORMED: Readonly<Record<Bound, readonly string[]>> = {
  most: [
    '999999999999999',
    '999999999.999999',
    '2999-12-31T23:59:59Z',
    '2999-12-31',
    'Z'.repeat(64),
    'z'.repeat(64),
    'ZWL',
    'ZW',
  ],
  least: ['0', '1', '1000-01-01T00:00:00Z', '1000-01-01', 'A', 'a', 'AED', 'AD'],
}

/** The smallest or largest value the contract allows; undefined if it gives no hint. */
export function boundOf(schema: JsonSchema, bound: Bound): unknown {
  const isMost = bound === 'most'
  if (schema.anyOf) return boundOfAny(schema.anyOf, bound)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return isMost ? schema.enum.at(-1) : schema.enum[0]
  switch (String(schema.type)) {
    case 'null':
      return null
    case 'boolean':
      return isMost
    case 'integer':
    case 'number':
      return isMost ? schema.maximum : schema.minimum
    case 'array':
      return boundOfList(schema, bound)
    case 'object':
      return boundOfObject(schema, bound)
    default:
      return boundOfText(schema, bound)
  }
}

/** The least is null; the most is that of the last alternative. */
function boundOfAny(options: readonly JsonSchema[], bound: Bound): unknown {
  if (bound === 'least' && options.some(({ type }) => type === 'null')) return null
  return options
    .filter(({ type }) => type !== 'null')
    .map((option) => boundOf(option, bound))
    .findLast((value) => value !== undefined)
}

function boundOfList(
  { items = {}, minItems = 0, maxItems = 1, uniqueItems }: JsonSchema,
  bound: Bound,
) {
  if (bound === 'least') return Array.from({ length: minItems }, () => boundOf(items, bound))
  if (items.enum) return items.enum.slice(0, maxItems)
  const item = boundOf(items, bound)
  if (item === undefined) return undefined
  const all = Array.from({ length: maxItems }, (_, at) =>
    isFree(items) ? distinct(item, at) : item,
  )
  return uniqueItems ? [...new Set(all)] : all
}

/** Items that must differ get different texts of the same length. */
const distinct = (item: unknown, at: number) =>
  typeof item === 'string' ? `${at}${item.slice(String(at).length * WIDE.length)}` : item

function boundOfObject({ properties = {}, required = [] }: JsonSchema, bound: Bound) {
  const fields = Object.entries(properties)
    .filter(([field]) => bound === 'most' || required.includes(field))
    .map(([field, schema]) => [field, boundOf(schema, bound)] as const)
  const isHeld = fields.every(([field, value]) => value !== undefined || !required.includes(field))
  return isHeld ? Object.fromEntries(fields.filter(([, value]) => value !== undefined)) : undefined
}

const isFree = ({ type, format, pattern }: JsonSchema) =>
  type === 'string' && pattern === undefined && (format === undefined || format === 'plain-text')

function boundOfText(schema: JsonSchema, bound: Bound): unknown {
  const { format, pattern, minLength = 0, maxLength = LENGTH } = schema
  const formed = format === undefined ? undefined : FORMATS[format]
  if (formed) return formed[bound]
  if (pattern !== undefined) {
    const form = new RegExp(pattern, 'u')
    return FORMED[bound].find((text) => text.length <= maxLength && form.test(text))
  }
  if (!isFree(schema)) return undefined
  return WIDE.repeat(bound === 'most' ? maxLength : minLength)
}
