import type { RuleType, RuleValue } from '@placard/contract/targeting'
import { RULE_KINDS, type RuleInShort, type RuleOperator } from '@placard/contract/targeting-words'

/** A condition while a user edits it. */
export interface RuleDraft {
  /** Identifies the condition within the form. */
  readonly id: number
  readonly ruleType: RuleType
  readonly operator: RuleOperator
  /** Words separated by commas. */
  readonly words: string
  readonly from: number
  readonly to: number
}

export const operatorsOf = (ruleType: RuleType) =>
  Object.keys(RULE_KINDS[ruleType].operators) as RuleOperator[]

let lastId = 0

export const draftOf = (ruleType: RuleType): RuleDraft => ({
  id: ++lastId,
  ruleType,
  operator: operatorsOf(ruleType)[0]!,
  words: RULE_KINDS[ruleType].example,
  from: 17,
  to: 22,
})

/** A stored rule, to be edited. */
export function draftFrom({ ruleType, operator, value }: RuleInShort): RuleDraft {
  const draft = { ...draftOf(ruleType), operator: operator as RuleOperator }
  if ('from' in value) return { ...draft, from: value.from, to: value.to }
  if ('value' in value) return { ...draft, words: String(value.value) }
  return { ...draft, words: value.values.join(', ') }
}

export const wordsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)

const ARE_NUMBERS: ReadonlySet<RuleType> = new Set(['hour_of_day', 'day_of_week'])

/** The rule of the draft. The server decides whether it is valid. */
export function ruleOf({ ruleType, operator, words, from, to }: RuleDraft): RuleInShort {
  return { ruleType, operator, value: valueOf() }

  function valueOf(): RuleValue {
    const shape = RULE_KINDS[ruleType].operators[operator]
    if (shape === 'range') return { from, to }
    if (shape === 'value') return { value: ruleType === 'new_visitor' ? words === 'true' : words }
    const values = wordsOf(words)
    return { values: ARE_NUMBERS.has(ruleType) ? values.map(Number) : [...values] }
  }
}
