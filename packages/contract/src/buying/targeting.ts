import { Type, type Static } from 'typebox'
import { patchOf, whole } from '../patch.ts'
import { oneOf, PAGE_QUERY, ROW_FIELDS, strict, textOf, Uuid } from '../shared.ts'
import { RULE_TYPES } from './targeting-words.ts'

export const RuleType = oneOf(RULE_TYPES)
export type RuleType = Static<typeof RuleType>

export const RULE_VALUES_MAX = 200
const TEXT_MAX = 255

/** Type and operator decide the shape, `{values}`, `{value}` or `{from, to}`, and what it may hold. */
export const RuleValue = whole(
  Type.Object(
    {
      values: Type.Optional(
        Type.Array(
          Type.Unsafe<string | number>({
            type: ['string', 'integer'],
            maxLength: TEXT_MAX,
            format: 'plain-text',
          }),
          { minItems: 1, maxItems: RULE_VALUES_MAX },
        ),
      ),
      value: Type.Optional(
        Type.Unsafe<string | boolean>({
          type: ['string', 'boolean'],
          maxLength: TEXT_MAX,
          format: 'plain-text',
        }),
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
  ),
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
/** The path names the campaign. */
export const AddTargetingRule = strict(ruleFields)
export const PatchTargetingRule = patchOf(ruleFields)

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
