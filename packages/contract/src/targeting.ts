import { Type, type Static } from 'typebox'
import { oneOf, PAGE_QUERY, ROW_FIELDS, strict, textOf, Uuid } from './shared.ts'

export const RuleType = oneOf([
  'device',
  'country',
  'user_segment',
  'login_state',
  'language',
  'hour_of_day',
  'day_of_week',
  'new_visitor',
  'referrer_domain',
])
export type RuleType = Static<typeof RuleType>
export type RuleOperator = 'in' | 'not_in' | 'contains_all' | 'eq' | 'between' | 'ends_with'

export const RULE_VALUES_MAX = 200
const TEXT_MAX = 255

/** `{values}`, `{value}` or `{from, to}`: which one, and of what, depends on type and operator. */
export const RuleValue = Type.Object(
  {
    values: Type.Optional(
      Type.Array(
        Type.Unsafe<string | number>({ type: ['string', 'integer'], maxLength: TEXT_MAX }),
        { minItems: 1, maxItems: RULE_VALUES_MAX },
      ),
    ),
    value: Type.Optional(
      Type.Unsafe<string | boolean>({ type: ['string', 'boolean'], maxLength: TEXT_MAX }),
    ),
    from: Type.Optional(Type.Integer({ minimum: 0, maximum: 23 })),
    to: Type.Optional(Type.Integer({ minimum: 0, maximum: 23 })),
  },
  {
    additionalProperties: false,
    description:
      'For example {"values": ["DE", "AT"]}, {"value": "guest"} or {"from": 22, "to": 5}',
    examples: [{ values: ['mobile', 'tablet'] }],
  },
)
export type RuleValue =
  | { readonly values: readonly (string | number)[] }
  | { readonly value: string | boolean }
  | { readonly from: number; readonly to: number }

const ruleFields = {
  ruleType: RuleType,
  operator: textOf(32, 'in'),
  value: RuleValue,
  isActive: Type.Optional(Type.Boolean({ examples: [true] })),
}

export const CreateTargetingRule = strict({ ...ruleFields, campaignId: Uuid })
/** The campaign is in the path. */
export const AddTargetingRule = strict(ruleFields)
export const PatchTargetingRule = Type.Partial(strict(ruleFields), { additionalProperties: false })

const ruleFilters = {
  ...PAGE_QUERY,
  ruleType: Type.Optional(RuleType),
  isActive: Type.Optional(Type.Boolean()),
  sort: Type.Optional(oneOf(['-createdAt', 'createdAt'])),
}
export const TargetingRuleQuery = strict({ ...ruleFilters, campaignId: Type.Optional(Uuid) })
export const CampaignTargetingRuleQuery = strict(ruleFilters)
export const CampaignParams = Type.Object({ campaignId: Uuid })
export const TargetingRuleParams = Type.Object({ campaignId: Uuid, targetingRuleId: Uuid })

export const TargetingRule = Type.Object({
  ...ROW_FIELDS,
  campaignId: Uuid,
  ruleType: RuleType,
  operator: Type.String(),
  value: RuleValue,
  isActive: Type.Boolean(),
})

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
