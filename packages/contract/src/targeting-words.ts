import type { RuleType, RuleValue } from './targeting.ts'

/** Words and tables of targeting without its schemas: small enough for a page. */
export type RuleOperator = 'in' | 'not_in' | 'contains_all' | 'eq' | 'between' | 'ends_with'

/** `{values}`, `{value}` or `{from, to}`. */
export type RuleShape = 'values' | 'value' | 'range'

/** Which operators a type knows, and the shape that each takes. */
export const RULE_OPERATORS: Readonly<
  Record<RuleType, Readonly<Partial<Record<RuleOperator, RuleShape>>>>
> = {
  device: { in: 'values', not_in: 'values' },
  country: { in: 'values', not_in: 'values' },
  user_segment: { in: 'values', not_in: 'values', contains_all: 'values' },
  login_state: { eq: 'value' },
  language: { in: 'values', not_in: 'values' },
  hour_of_day: { in: 'values', not_in: 'values', between: 'range' },
  day_of_week: { in: 'values', not_in: 'values' },
  new_visitor: { eq: 'value' },
  referrer_domain: { in: 'values', not_in: 'values', ends_with: 'values' },
}

export interface RuleInShort {
  readonly ruleType: RuleType
  readonly operator: string
  readonly value: RuleValue
}

/** A stored rule as people say it: "Country is DE or AT". */
export function describeRule({ ruleType, operator, value }: RuleInShort): string {
  if ('from' in value) return `${SUBJECTS[ruleType]} is from ${value.from}:00 to ${value.to}:59`
  if ('value' in value) return SINGLES[String(value.value)] ?? String(value.value)

  const names = value.values.map((one) => nameOf(ruleType, one))
  if (ruleType === 'user_segment') return `${SEGMENT_VERBS[operator]} ${listed(names, 'and')}`
  if (operator === 'ends_with') return `Referrer is ${listed(names, 'or')} or a part of it`
  if (operator === 'not_in') return `${SUBJECTS[ruleType]} is not ${listed(names, 'or')}`
  return `${SUBJECTS[ruleType]} is ${listed(names, 'or')}`
}

const SUBJECTS: Readonly<Record<RuleType, string>> = {
  device: 'Device',
  country: 'Country',
  user_segment: 'Segment',
  login_state: 'Visitor',
  language: 'Language',
  hour_of_day: 'Hour',
  day_of_week: 'Day',
  new_visitor: 'Visitor',
  referrer_domain: 'Referrer',
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

/** "a, b or c"; of a long list the beginning, and how many more. */
function listed(names: readonly string[], word: 'and' | 'or'): string {
  const more = names.length - NAMES_MAX
  const told = more > 0 ? [...names.slice(0, NAMES_MAX), `${more} more`] : names
  const last = told.at(-1) ?? 'nothing'
  return told.length > 1 ? `${told.slice(0, -1).join(', ')} ${word} ${last}` : last
}
