import type { RuleType, RuleValue } from '@placard/contract/targeting'
import { describeRule, RULE_KINDS } from '@placard/contract/targeting-words'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeRule } from './targeting.ts'

const judge = (ruleType: RuleType, operator: string, value: unknown) =>
  judgeRule({ ruleType, operator, value })
const stored = (ruleType: RuleType, operator: string, value: unknown) => {
  const judged = judge(ruleType, operator, value)
  return judged.verdict === 'valid' ? judged.value : judged
}
const faultsOf = (ruleType: RuleType, operator: string, value: unknown) => {
  const judged = judge(ruleType, operator, value)
  return judged.verdict === 'wrong-value' ? judged.faults.map(({ path }) => path) : judged
}

const days = (count: number) => ({ values: Array.from({ length: count }, () => 1) })
const say = (ruleType: RuleType, operator: string, value: object) =>
  describeRule({ ruleType, operator, value: value as RuleValue })

describe('a targeting rule', () => {
  test('each rule type has its own operators, and no other', () => {
    const known = Object.entries(RULE_KINDS).map(([type, { operators }]) => [
      type,
      Object.keys(operators),
    ])

    expect(Object.fromEntries(known)).toEqual({
      device: ['in', 'not_in'],
      country: ['in', 'not_in'],
      user_segment: ['in', 'not_in', 'contains_all'],
      login_state: ['eq'],
      language: ['in', 'not_in'],
      hour_of_day: ['in', 'not_in', 'between'],
      day_of_week: ['in', 'not_in'],
      new_visitor: ['eq'],
      referrer_domain: ['in', 'not_in', 'ends_with'],
    })
    expect(judge('device', 'eq', { value: 'mobile' })).toMatchObject({ verdict: 'wrong-operator' })
    expect(judge('device', 'toString', {})).toMatchObject({ verdict: 'wrong-operator' })
  })

  test('values are stored in one spelling, without repeats', () => {
    expect(stored('country', 'in', { values: ['de', 'DE', 'at'] })).toEqual({
      values: ['DE', 'AT'],
    })
    expect(
      stored('referrer_domain', 'in', { values: ['WWW.News.Example', 'news.example'] }),
    ).toEqual({ values: ['news.example'] })
    expect(stored('referrer_domain', 'in', { values: ['www.www.a.example'] })).toEqual({
      values: ['a.example'],
    })
    expect(stored('language', 'in', { values: ['EN-gb', 'en-GB', 'de'] })).toEqual({
      values: ['en-GB', 'de'],
    })
    expect(stored('user_segment', 'contains_all', { values: [' vip ', 'vip', 'VIP'] })).toEqual({
      values: ['vip', 'VIP'],
    })
    expect(stored('hour_of_day', 'not_in', { values: [0, 23, 0] })).toEqual({ values: [0, 23] })
  })

  test('a range may wrap around midnight', () => {
    expect(stored('hour_of_day', 'between', { from: 22, to: 5 })).toEqual({ from: 22, to: 5 })
    expect(stored('hour_of_day', 'between', { from: -0, to: 5 })).toEqual({ from: 0, to: 5 })
  })

  test('a single value has its rule’s kind', () => {
    expect(stored('login_state', 'eq', { value: 'guest' })).toEqual({ value: 'guest' })
    expect(stored('new_visitor', 'eq', { value: false })).toEqual({ value: false })
    expect(faultsOf('new_visitor', 'eq', { value: 'false' })).toEqual(['body/value/value'])
    expect(faultsOf('login_state', 'eq', { value: true })).toEqual(['body/value/value'])
  })

  test('every fault of a value is named', () => {
    expect(faultsOf('device', 'in', { values: ['mobile', 'watch', 7], colour: 'red' })).toEqual([
      'body/value/colour',
      'body/value/values/1',
      'body/value/values/2',
    ])
    expect(faultsOf('hour_of_day', 'between', { from: 24 })).toEqual([
      'body/value/from',
      'body/value/to',
    ])
    expect(faultsOf('hour_of_day', 'between', { from: 1, to: 2, values: [1] })).toEqual([
      'body/value/values',
    ])
    expect(faultsOf('country', 'in', { values: ['DEU', 'D', 'd3'] })).toHaveLength(3)
    expect(faultsOf('country', 'in', ['DE'])).toEqual(['body/value'])
  })

  test('a list has 1 to 200 values', () => {
    expect(faultsOf('day_of_week', 'in', days(0))).toEqual(['body/value/values'])
    expect(faultsOf('day_of_week', 'in', days(201))).toEqual(['body/value/values'])
    expect(stored('day_of_week', 'in', days(200))).toEqual({ values: [1] })
  })

  test('a host has no scheme, no path, no port and no hidden characters', () => {
    const wrong = [
      'https://a.example',
      'a.example/b',
      'a.example:80',
      'a b',
      '',
      'a..b',
      'u@a.example',
    ]

    expect(faultsOf('referrer_domain', 'ends_with', { values: wrong })).toHaveLength(wrong.length)
    expect(stored('referrer_domain', 'in', { values: ['bücher.example'] })).toEqual({
      values: ['xn--bcher-kva.example'],
    })
  })

  test('text that breaks PostgreSQL or misleads people is no segment', () => {
    const wrong = ['', '  ', 'a\u0000b', '\ud800', 'a\u202eb', 'x'.repeat(129)]

    expect(faultsOf('user_segment', 'in', { values: wrong })).toHaveLength(wrong.length)
  })

  const anyType = fc.constantFrom(...(Object.keys(RULE_KINDS) as RuleType[]))
  const anyOperator = fc.constantFrom('in', 'not_in', 'contains_all', 'eq', 'between', 'ends_with')
  const anyTerm = fc.oneof(
    fc.constantFrom('mobile', 'de', 'EN-us', 'guest', 'www.www.a.example', 'WWW.x.y', 'vip '),
    fc.domain(),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.integer({ min: -1, max: 24 }),
    fc.boolean(),
    fc.constant(-0),
  )
  const anyValue = fc.oneof(
    fc.record({ values: fc.array(anyTerm, { maxLength: 8 }) }),
    fc.record({ value: anyTerm }),
    fc.record({ from: anyTerm, to: anyTerm }),
    fc.anything(),
  )

  test('every input gets a verdict, and a stored value is stored the same way again', () => {
    fc.assert(
      fc.property(anyType, anyOperator, anyValue, (ruleType, operator, value) => {
        const judged = judgeRule({ ruleType, operator, value })
        if (judged.verdict !== 'valid') return

        expect(judgeRule({ ruleType, operator, value: judged.value })).toEqual(judged)
        expect(JSON.parse(JSON.stringify(judged.value))).toEqual(judged.value)
        expect(describeRule({ ruleType, operator, value: judged.value })).not.toContain('undefined')
      }),
      { numRuns: 2_000 },
    )
  })

  test('repeating or reordering values changes nothing but the order of what is stored', () => {
    const lists = fc.array(anyTerm, { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(anyType, lists, (ruleType, values) => {
        const once = judgeRule({ ruleType, operator: 'in', value: { values } })
        const twice = judgeRule({
          ruleType,
          operator: 'in',
          value: { values: [...values, ...values.toReversed()] },
        })
        expect(twice.verdict).toBe(once.verdict)
        expect(once.verdict !== 'valid' || isDeepStrictEqual(once, twice)).toBe(true)
      }),
    )
  })
})

test('a rule can be described in words', () => {
  expect(say('country', 'in', { values: ['DE', 'AT', 'CH'] })).toBe('Country is DE, AT or CH')
  expect(say('device', 'not_in', { values: ['mobile'] })).toBe('Device is not mobile')
  expect(say('user_segment', 'contains_all', { values: ['vip', 'new'] })).toBe(
    'Visitor is in all of vip and new',
  )
  expect(say('hour_of_day', 'between', { from: 22, to: 5 })).toBe('Hour is from 22:00 to 5:59')
  expect(say('day_of_week', 'in', { values: [0, 6] })).toBe('Day is Sunday or Saturday')
  expect(say('new_visitor', 'eq', { value: false })).toBe('Visitor has been here before')
  expect(say('login_state', 'eq', { value: 'logged_in' })).toBe('Visitor is signed in')
  expect(say('referrer_domain', 'ends_with', { values: ['a.example'] })).toBe(
    'Referrer is a.example or a part of it',
  )
  expect(say('country', 'in', { values: ['AA', 'BB', 'CC', 'DD', 'EE', 'FF', 'GG'] })).toBe(
    'Country is AA, BB, CC, DD, EE or 2 more',
  )
})
