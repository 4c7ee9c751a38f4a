import { isCountry } from '@placard/contract/countries'
import { segmentOf, SEGMENT_WORDS } from '@placard/contract/segments'
import { RULE_VALUES_MAX, type RuleType, type RuleValue } from '@placard/contract/targeting'
import { RULE_KINDS, type RuleOperator, type RuleShape } from '@placard/contract/targeting-words'
import type { Fault } from '../../../platform/problem.ts'

/** A rule from a request. Only its type is known to be valid. */
export interface RuleInput {
  readonly ruleType: RuleType
  readonly operator: string
  readonly value: unknown
}

export type RuleVerdict =
  | { readonly verdict: 'valid'; readonly value: RuleValue }
  | { readonly verdict: 'wrong-operator'; readonly allowed: readonly RuleOperator[] }
  | { readonly verdict: 'wrong-value'; readonly faults: readonly Fault[] }

const KEYS_OF: Readonly<Record<RuleShape, readonly string[]>> = {
  values: ['values'],
  value: ['value'],
  range: ['from', 'to'],
}

/** Judges a rule and gives its stored form: one spelling per value, without repeats. */
export function judgeRule({ ruleType, operator, value }: RuleInput): RuleVerdict {
  const operators = RULE_KINDS[ruleType].operators
  if (!Object.hasOwn(operators, operator)) {
    return { verdict: 'wrong-operator', allowed: Object.keys(operators) as RuleOperator[] }
  }
  const shape = operators[operator as RuleOperator]!
  if (!isRecord(value)) return wrong([{ path: '', message: `must be ${exampleOf(shape)}` }])

  const faults = keyFaults(value, shape)
  const read = readValue(value, { ruleType, shape })
  const all = [...faults, ...read.faults]
  return all.length > 0 ? wrong(all) : { verdict: 'valid', value: read.value }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const wrong = (faults: readonly Fault[]): RuleVerdict => ({
  verdict: 'wrong-value',
  faults: faults.map(({ path, message }) => ({ path: `body/value${path}`, message })),
})

function keyFaults(value: Readonly<Record<string, unknown>>, shape: RuleShape): Fault[] {
  return Object.keys(value)
    .filter((key) => !KEYS_OF[shape].includes(key))
    .map((key) => ({ path: `/${key}`, message: 'does not belong to this type and operator' }))
}

const exampleOf = (shape: RuleShape) =>
  `an object with ${KEYS_OF[shape].map((key) => `"${key}"`).join(' and ')}`

interface ParsedValue {
  readonly value: RuleValue
  readonly faults: readonly Fault[]
}

function readValue(
  value: Readonly<Record<string, unknown>>,
  { ruleType, shape }: { ruleType: RuleType; shape: RuleShape },
): ParsedValue {
  const term = TERMS[ruleType]
  if (shape === 'values') return readList(value.values, term)

  const keys = KEYS_OF[shape]
  const read = keys.map((key) => [key, term.read(value[key])] as const)
  const faults = read
    .filter(([, term]) => term === undefined)
    .map(([key]) => ({ path: `/${key}`, message: `must be ${term.expects}` }))
  return { value: Object.fromEntries(read) as RuleValue, faults }
}

function readList(values: unknown, term: Term): ParsedValue {
  if (!Array.isArray(values) || values.length < 1 || values.length > RULE_VALUES_MAX) {
    const message = `must be a list of 1 to ${RULE_VALUES_MAX} values`
    return { value: { values: [] }, faults: [{ path: '/values', message }] }
  }
  const read = values.map((value) => term.read(value))
  const faults = read.flatMap((value, index) =>
    value === undefined ? [{ path: `/values/${index}`, message: `must be ${term.expects}` }] : [],
  )
  return { value: { values: [...new Set(read)] as (string | number)[] }, faults }
}

/** How a value of a type is read: its stored spelling, or undefined if it is invalid. */
interface Term {
  readonly expects: string
  read(value: unknown): string | number | boolean | undefined
}

const countryOf = (code: string) => (isCountry(code) ? code : undefined)

const TERMS: Readonly<Record<RuleType, Term>> = {
  device: choice(['mobile', 'tablet', 'desktop']),
  country: {
    expects: 'a country by its assigned code of ISO 3166-1, such as GB',
    read: (value) => (isText(value) ? countryOf(value.toUpperCase()) : undefined),
  },
  user_segment: {
    expects: SEGMENT_WORDS,
    read: (value) => (isText(value) ? segmentOf(value) : undefined),
  },
  login_state: choice(['logged_in', 'guest']),
  language: {
    expects: 'a language tag, BCP 47',
    read: (value) => (isText(value) ? languageOf(value) : undefined),
  },
  hour_of_day: wholeUpTo(23),
  day_of_week: wholeUpTo(6),
  new_visitor: {
    expects: 'true or false',
    read: (value) => (typeof value === 'boolean' ? value : undefined),
  },
  referrer_domain: {
    expects: 'a host such as news.example',
    read: (value) => (isText(value) ? hostOf(value.trim().toLowerCase()) : undefined),
  },
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function choice(values: readonly string[]): Term {
  return {
    expects: `one of ${values.join(', ')}`,
    read: (value) => (isText(value) && values.includes(value) ? value : undefined),
  }
}

function wholeUpTo(max: number): Term {
  const isInside = (value: number) => Number.isInteger(value) && value >= 0 && value <= max
  return {
    expects: `a whole number from 0 to ${max}`,
    // Minus zero is stored as zero: both are the same hour.
    read: (value) => (typeof value === 'number' && isInside(value) ? Math.abs(value) : undefined),
  }
}

const LANGUAGE_LENGTH_MAX = 35

function languageOf(text: string): string | undefined {
  if (text.length > LANGUAGE_LENGTH_MAX) return undefined
  try {
    return Intl.getCanonicalLocales(text)[0]
  } catch {
    return undefined
  }
}

const HOST_LENGTH_MAX = 253

/** The host as a browser writes it, without "www.". */
function hostOf(text: string): string | undefined {
  if (/[/\\:@?#[\]\s%]/.test(text) || !URL.canParse(`http://${text}`)) return undefined

  const host = new URL(`http://${text}`).hostname.replace(/^(www\.)+(?=.)/, '')
  const isHost =
    host.length <= HOST_LENGTH_MAX && /^([a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/.test(host)
  return isHost ? host : undefined
}
