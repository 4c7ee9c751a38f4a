import type { RuleValue } from './targeting.ts'

/** Words and tables of targeting without the schemas, small enough to ship to a page. */
export type RuleOperator = 'in' | 'not_in' | 'contains_all' | 'eq' | 'between' | 'ends_with'

/** `{values}`, `{value}` or `{from, to}`. */
export type RuleShape = 'values' | 'value' | 'range'

interface RuleKind {
  /** What the console offers. */
  readonly label: string
  /** The beginning of a sentence about the rule. */
  readonly subject: string
  /** Prefills the form; values separated by commas. */
  readonly example: string
  /** The operators it supports, and the shape of value each takes. */
  readonly operators: Readonly<Partial<Record<RuleOperator, RuleShape>>>
}

const ANY_OR_NONE = { in: 'values', not_in: 'values' } as const

/** Every type of rule. */
const KINDS = {
  device: { label: 'Device', subject: 'Device', example: 'mobile', operators: ANY_OR_NONE },
  country: { label: 'Country', subject: 'Country', example: 'DE', operators: ANY_OR_NONE },
  user_segment: {
    label: 'Segment',
    subject: 'Segment',
    example: '',
    operators: { ...ANY_OR_NONE, contains_all: 'values' },
  },
  login_state: {
    label: 'Signed in or guest',
    subject: 'Visitor',
    example: 'logged_in',
    operators: { eq: 'value' },
  },
  language: { label: 'Language', subject: 'Language', example: 'en', operators: ANY_OR_NONE },
  hour_of_day: {
    label: 'Hour of the day',
    subject: 'Hour',
    example: '18',
    operators: { ...ANY_OR_NONE, between: 'range' },
  },
  day_of_week: {
    label: 'Day of the week',
    subject: 'Day',
    example: '6, 0',
    operators: ANY_OR_NONE,
  },
  new_visitor: {
    label: 'New or returning visitor',
    subject: 'Visitor',
    example: 'true',
    operators: { eq: 'value' },
  },
  referrer_domain: {
    label: 'Referring site',
    subject: 'Referrer',
    example: '',
    operators: { ...ANY_OR_NONE, ends_with: 'values' },
  },
} as const satisfies Readonly<Record<string, RuleKind>>

export type RuleType = keyof typeof KINDS

export const RULE_KINDS: Readonly<Record<RuleType, RuleKind>> = KINDS
export const RULE_TYPES = Object.keys(KINDS) as [RuleType, ...RuleType[]]

export interface RuleInShort {
  readonly ruleType: RuleType
  readonly operator: string
  readonly value: RuleValue
}

/** A stored rule as a sentence: "Country is DE or AT". */
export function describeRule({ ruleType, operator, value }: RuleInShort): string {
  if ('from' in value)
    return `${RULE_KINDS[ruleType].subject} is from ${value.from}:00 to ${value.to}:59`
  if ('value' in value) return SINGLES[String(value.value)] ?? String(value.value)

  const names = value.values.map((one) => nameOf(ruleType, one))
  if (ruleType === 'user_segment') return `${SEGMENT_VERBS[operator]} ${listed(names, 'and')}`
  if (operator === 'ends_with') return `Referrer is ${listed(names, 'or')} or a part of it`
  if (operator === 'not_in') return `${RULE_KINDS[ruleType].subject} is not ${listed(names, 'or')}`
  return `${RULE_KINDS[ruleType].subject} is ${listed(names, 'or')}`
}

const SINGLES: Readonly<Record<string, string>> = {
  logged_in: 'Visitor is signed in',
  guest: 'Visitor is a guest',
  true: 'Visitor is new',
  false: 'Visitor has been here before',
}
const SEGMENT_VERBS: Readonly<Record<string, string>> = {
  in: 'Visitor is in any of',
  not_in: 'Visitor is in none of',
  contains_all: 'Visitor is in all of',
}
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

function nameOf(ruleType: RuleType, value: string | number): string {
  if (ruleType === 'day_of_week') return DAYS[Number(value)] ?? String(value)
  return ruleType === 'hour_of_day' ? `${value}:00` : String(value)
}

const NAMES_MAX = 5

/** "a, b or c". A long list is cut, with the number of values left out. */
function listed(names: readonly string[], word: 'and' | 'or'): string {
  const more = names.length - NAMES_MAX
  const listed = more > 0 ? [...names.slice(0, NAMES_MAX), `${more} more`] : names
  const last = listed.at(-1) ?? 'nothing'
  return listed.length > 1 ? `${listed.slice(0, -1).join(', ')} ${word} ${last}` : last
}
