import { TAXONOMY_FORMATS } from '@placard/contract/shared'
import type { Fields, JsonSchema } from './openapi.ts'

/** A value's place in a request, and what the contract allows there. */
export interface Leaf {
  /** The path as faults name it, below the part of the request: `/pacing/warmupMode`, `/items/0/name`. */
  readonly path: string
  /** The alternatives of its schema, without null. */
  readonly options: readonly JsonSchema[]
}

/** A way to break every field it applies to at once; the answer must name each of them. */
export interface Spoiling {
  readonly name: string
  /** Undefined if this place cannot be broken in this way. */
  spoil(leaf: Leaf): unknown
}

/** All places of a body, including nested fields and the first item of each list. */
export function leavesOf(schema: JsonSchema, path = ''): Leaf[] {
  const options = optionsOf(schema)
  const own = path === '' ? [] : [{ path, options }]
  return [...own, ...options.flatMap((option) => insideOf(option, path))]
}

function insideOf({ properties = {}, items }: JsonSchema, path: string): Leaf[] {
  const fields = Object.entries(properties).flatMap(([name, field]) =>
    leavesOf(field, `${path}/${name}`),
  )
  return items ? [...fields, ...leavesOf(items, `${path}/0`)] : fields
}

export const leavesOfQuery = (fields: Fields): Leaf[] =>
  Object.entries(fields).map(([name, schema]) => ({ path: `/${name}`, options: optionsOf(schema) }))

function optionsOf(schema: JsonSchema): JsonSchema[] {
  if (schema.anyOf) return schema.anyOf.flatMap(optionsOf)
  return schema.type === 'null' ? [] : [schema]
}

const typesOf = ({ options }: Leaf) =>
  options.flatMap(({ type, enum: values }) => type ?? (values ? 'string' : 'anything'))
const isText = (leaf: Leaf) => typesOf(leaf).includes('string')
const isNumber = (leaf: Leaf) => typesOf(leaf).some((type) => /^(integer|number)$/.test(type))
const isEnum = ({ options }: Leaf) => options.every((option) => option.enum || option.const)

export const isTimeZone = ({ options }: Leaf) =>
  options.some(({ format }) => format === 'time-zone')
const isDay = ({ options }: Leaf) => options.some(({ format }) => format === 'date')

/** Free text: any readable value is valid. */
export const isFreeText = (leaf: Leaf) =>
  isText(leaf) &&
  leaf.options.every(
    ({ format, pattern, enum: values }) =>
      !pattern && !values && (format === undefined || format === 'plain-text'),
  )

/** Too long wherever the contract gives no length but a pattern or format. */
const LONG = 3_000

export const SPOILINGS: readonly Spoiling[] = [
  { name: 'the wrong type', spoil: (leaf) => wrongType(leaf) },
  {
    name: 'a word that is not in the list',
    spoil: (leaf) => (isEnum(leaf) ? 'nonsense' : undefined),
  },
  { name: 'a text that is too long', spoil: (leaf) => (isText(leaf) ? tooLong(leaf) : undefined) },
  ...['0001-01-01', '9999-12-31', '2030-02-30'].map((day) => ({
    name: `the day ${day}`,
    spoil: (leaf: Leaf) => (isDay(leaf) ? day : undefined),
  })),
  ...['ZZ', 'XX', 'UK', 'EU'].map((code) => ({
    name: `${code} for a country`,
    spoil: (leaf: Leaf) =>
      leaf.options.some(({ format }) => format === 'country') ? code : undefined,
  })),
  // Intl takes them, or took them once. PostgreSQL does not, or reads them otherwise.
  ...['AET', 'MIT', 'US/Pacific-New', '+05:30', 'Mars/Olympus'].map((zone) => ({
    name: `the time zone ${zone}`,
    spoil: (leaf: Leaf) => (isTimeZone(leaf) ? zone : undefined),
  })),
  {
    name: 'an id that no taxonomy has',
    spoil: (leaf) =>
      leaf.options.some(({ format }) => TAXONOMY_FORMATS.some((name) => name === format))
        ? 'nonsense'
        : undefined,
  },
  { name: 'a number below', spoil: (leaf) => (isNumber(leaf) ? lowest(leaf) - 1 : undefined) },
  { name: 'a number above', spoil: (leaf) => (isNumber(leaf) ? highest(leaf) + 1 : undefined) },
  { name: 'a number that no column holds', spoil: (leaf) => (isNumber(leaf) ? 1e300 : undefined) },
  ...hostile({ 'a NUL': '\u0000', 'half a pair': '\ud83e', 'a turned direction': '\u202e' }),
]

function hostile(characters: Readonly<Record<string, string>>): Spoiling[] {
  return Object.entries(characters).map(([name, character]) => ({
    name,
    spoil: (leaf) => (isText(leaf) ? `aaaaaaaaaaaa${character}aaaaaaaaaaaaa` : undefined),
  }))
}

/** A value of another type that stays wrong as text, in a query. */
function wrongType(leaf: Leaf): unknown {
  const types = typesOf(leaf)
  if (types.includes('anything')) return undefined
  if (!types.includes('integer') && !types.includes('number')) return 7.5
  return types.includes('boolean') ? {} : true
}

const tooLong = ({ options }: Leaf) =>
  'a'.repeat(Math.max(...options.map(({ maxLength = LONG }) => maxLength)) + 1)
const lowest = ({ options }: Leaf) => Math.min(...options.map(({ minimum = -1e300 }) => minimum))
const highest = ({ options }: Leaf) => Math.max(...options.map(({ maximum = 1e300 }) => maximum))

const isOpen = ({ options }: Leaf) =>
  options.some(({ type, properties, items, const: only, enum: values }) => {
    if (type === undefined) return only === undefined && values === undefined
    return (type === 'object' && !properties) || (type === 'array' && !items)
  })

const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown =>
  levels === 0 ? 'x' : wrap(nested(levels - 1, wrap))

/** Unusual but valid text, up to the longest allowed, and values where the contract says little. */
export const UNUSUAL: readonly Spoiling[] = [
  ...Object.entries({
    'objects in objects, eight levels': (inner: unknown) => ({ value: inner }),
    'lists in lists, eight levels': (inner: unknown) => [inner],
    'objects with values, eight levels': (inner: unknown) => ({ values: [inner], from: inner }),
  }).map(([name, wrap]) => ({
    name,
    spoil: (leaf: Leaf) => (isOpen(leaf) ? nested(8, wrap) : undefined),
  })),
  ...['1000-01-01', '2999-12-31'].map((day) => ({
    name: `the day ${day}`,
    spoil: (leaf: Leaf) => (isDay(leaf) ? day : undefined),
  })),
  ...(['minimum', 'maximum'] as const).map((bound) => ({
    name: `the ${bound} of a number`,
    spoil: (leaf: Leaf) =>
      isNumber(leaf) ? leaf.options.find((one) => one[bound] !== undefined)?.[bound] : undefined,
  })),
  { name: 'emoji', spoil: (leaf) => (isFreeText(leaf) ? '🦄' : undefined) },
  {
    name: 'a letter under a tower of accents',
    spoil: (leaf) => (isFreeText(leaf) ? `e${'\u0301'.repeat(longest(leaf) - 1)}` : undefined),
  },
  {
    name: 'as much of the widest characters as fits',
    spoil: (leaf) => (isFreeText(leaf) ? '🦄'.repeat(longest(leaf)) : undefined),
  },
  {
    name: 'words of SQL',
    spoil: (leaf) => (isFreeText(leaf) ? `'; drop table users; --` : undefined),
  },
]

const longest = ({ options }: Leaf) => Math.min(...options.map(({ maxLength = 200 }) => maxLength))

export interface Spoilt {
  readonly name: string
  readonly values: readonly { readonly path: string; readonly value: unknown }[]
}

/** Breaks level by level: a field inside an object needs the object itself to be intact. */
export function spoiltBy(spoilings: readonly Spoiling[], leaves: readonly Leaf[]): Spoilt[] {
  const levels = Map.groupBy(leaves, ({ path }) => path.split('/').length)
  return spoilings.flatMap(({ name, spoil }) =>
    [...levels.values()].flatMap((level) => {
      const values = level.flatMap((leaf) => {
        const value = spoil(leaf)
        return value === undefined ? [] : [{ path: leaf.path, value }]
      })
      return values.length > 0 ? [{ name, values }] : []
    }),
  )
}

/** A copy with another value at the path. Creates missing parents. */
export function withValue(document: unknown, path: string, value: unknown): unknown {
  const [, name, ...rest] = path.split('/')
  if (name === undefined) return value
  const inside = rest.length > 0 ? `/${rest.join('/')}` : ''
  if (Array.isArray(document) && document.length > 0) {
    return document.map((item, index) =>
      index === Number(name) ? withValue(item, inside, value) : item,
    )
  }
  const isEmpty = document === undefined || Array.isArray(document)
  if (isEmpty && name === '0') return [withValue(undefined, inside, value)]
  const fields = (document ?? {}) as Record<string, unknown>
  return { ...fields, [name]: withValue(fields[name], inside, value) }
}

/** Invisible or misleading in any text. */
export const HIDDEN_SEGMENTS = ['\u0000', '\u202egnp.exe']

/** Path segments that an attacker might send. */
export const HOSTILE_SEGMENTS = [
  "' or 1=1 --",
  '../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  ...HIDDEN_SEGMENTS,
  '🦄',
  'null',
  '-1',
  '9223372036854775808',
  '{{7*7}}',
  '__proto__',
  'a'.repeat(300),
]

/** Bodies that are no JSON object, by kind. */
export const BROKEN_BODIES: Readonly<Record<string, string>> = {
  'half an object': '{"name": "Autumn',
  'a list': '[]',
  'a text': '"Autumn"',
  'a number': '7',
  null: 'null',
  nothing: '',
  'a poisoned prototype': '{"__proto__": {"isAdmin": true}}',
  'a deep nest': '['.repeat(100_000),
}

/** Routes that read every body as JSON, whatever its content type says. */
const TAKE_ANY_TYPE = new Set(['holdOpenRtbAuction'])

export const xmlRefusal = ({ id }: { readonly id: string }): readonly number[] =>
  TAKE_ANY_TYPE.has(id) ? [400] : [415]

/** Names that Intl takes and does not list. */
export const OLD_ZONES =
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST \
EST MST HST EST5EDT CST6CDT MST7MDT PST8PDT CET MET EET WET GMT GMT0 GMT+0 GMT-0 UCT UTC Zulu Universal Greenwich \
Etc/GMT-14 Etc/GMT+12 Etc/Unknown US/Pacific US/Pacific-New US/Samoa SystemV/PST8 Asia/Calcutta Asia/Riyadh87 \
America/Buenos_Aires Europe/Kiev Antarctica/Troll Pacific/Kiritimati europe/berlin +05:30 -00:00 Factory posixrules'.split(
    /\s+/,
  )
