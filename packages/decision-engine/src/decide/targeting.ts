import { CODE, PASSED, REASONS, type Reason } from '../explain/reasons.ts'
import type { RuleOperator, RuleType, RuleValue, TargetingRule } from '../changes/records.ts'
import type { TermKind, Terms } from '../columns/terms.ts'

/** What a request says about its reader. Absent: unknown. */
export interface Context {
  readonly device?: 'mobile' | 'tablet' | 'desktop' | undefined
  readonly country?: string | undefined
  readonly language?: string | undefined
  readonly segments?: readonly string[] | undefined
  readonly loggedIn?: boolean | undefined
  readonly newVisitor?: boolean | undefined
  readonly referrerDomain?: string | undefined
  readonly lastPurchaseDaysAgo?: number | undefined
  /** Categories of the page with their parents. Undefined: the page is not classified. */
  readonly categories?: readonly string[] | undefined
  /** The page's address in its normal form, from which an explanation finds the page again. */
  readonly page?: string | undefined
}

/** The operators of each rule type. */
export const OPERATORS: { readonly [T in RuleType]: readonly RuleOperator[] } = {
  device: ['in', 'not_in'],
  country: ['in', 'not_in'],
  user_segment: ['in', 'not_in', 'contains_all'],
  login_state: ['eq'],
  language: ['in', 'not_in'],
  hour_of_day: ['in', 'not_in', 'between'],
  day_of_week: ['in', 'not_in'],
  new_visitor: ['eq'],
  referrer_domain: ['in', 'not_in', 'ends_with'],
}

const DEVICES = ['mobile', 'tablet', 'desktop']
/** Groups of bits in the traits mask. A request sets one bit of each group; "unknown" has a bit too. */
const DEVICE = { shift: 0, known: 0b0111, all: 0b1111 }
const LOGIN = { shift: 4, known: 0b011, all: 0b111 }
const VISITOR = { shift: 7, known: 0b011, all: 0b111 }
const WEEKDAY = { shift: 10, known: 0b1111111, all: 0b1111111 }
export const ALL_HOURS = 0xffffff
export const ALL_TRAITS =
  (DEVICE.all << DEVICE.shift) |
  (LOGIN.all << LOGIN.shift) |
  (VISITOR.all << VISITOR.shift) |
  (WEEKDAY.all << WEEKDAY.shift)

/** Clause operators of a program. */
const ANY_OF = 0
const NONE_OF = 1
const ALL_OF = 2

/** The category of unclassified pages. No real category has an empty name. */
export const UNKNOWN_PAGE = ''

/** A rule with more values does not split lists; each candidate is checked instead. */
const ANCHOR_VALUES_MAX = 64

/** All rules of one campaign. All must hold. */
export interface CompiledTargeting {
  readonly traits: number
  readonly hours: number
  /** Clauses `[operator + 4 × reason, count, term…]`. */
  readonly program: readonly number[]
  /** The campaign can only match requests with one of these terms. Empty: any request. */
  readonly anchors: readonly number[]
}

interface Clause {
  readonly operator: number
  readonly reason: Reason
  readonly terms: readonly number[]
}

const ACTIVE = 1 << 12

/**
 * A rule as numbers `[key, operator + 4 × reason + active, count, value…]`. The values are terms or one
 * mask. A campaign keeps its rules in this form; objects would need more memory than its ads.
 */
export function encodeRule(rule: TargetingRule, terms: Terms): number[] {
  const active = rule.active ? ACTIVE : 0
  if (rule.type === 'hour_of_day')
    return [rule.key, 4 * CODE.hour_of_day + active, 1, hoursOf(rule)]
  if (isTraitRule(rule.type)) return [rule.key, 4 * CODE[rule.type] + active, 1, traitsOf(rule)]
  const { operator, reason, terms: values } = clauseOf(rule, terms)
  return [rule.key, operator + 4 * CODE[reason] + active, values.length, ...values]
}

export function withoutRule(rules: readonly number[], key: number): readonly number[] {
  for (let at = 0; at < rules.length; at += 3 + rules[at + 2]!) {
    if (rules[at] === key) return rules.toSpliced(at, 3 + rules[at + 2]!)
  }
  return rules
}

export function compileTargeting(
  rules: readonly number[],
  categories: readonly string[],
  terms: Terms,
): CompiledTargeting {
  let traits = ALL_TRAITS
  let hours = ALL_HOURS
  const clauses: Clause[] = []
  for (let at = 0; at < rules.length; at += 3 + rules[at + 2]!) {
    const head = rules[at + 1]!
    if ((head & ACTIVE) === 0) continue
    const reason = REASONS[(head & ~ACTIVE) >> 2]!
    if (reason === 'hour_of_day') hours &= rules[at + 3]!
    else if (isTraitRule(reason)) traits &= rules[at + 3]!
    else {
      const values = rules.slice(at + 3, at + 3 + rules[at + 2]!)
      clauses.push({ operator: head & 3, reason, terms: values })
    }
  }
  if (categories.length > 0) {
    const wanted = categories.map((category) => terms.intern('category', category))
    clauses.push({ operator: ANY_OF, reason: 'category', terms: wanted })
  }
  const program = clauses.flatMap(({ operator, reason, terms: values }) => [
    operator + 4 * CODE[reason],
    values.length,
    ...values,
  ])
  return { traits, hours, program, anchors: anchorsOf(clauses) }
}

/** The clause that probably fewest requests satisfy, judged by its kind and length. */
function anchorsOf(clauses: readonly Clause[]): readonly number[] {
  let best: readonly number[] = []
  let bestRank = Infinity
  for (const { operator, reason, terms } of clauses) {
    if (operator === NONE_OF || terms.length > ANCHOR_VALUES_MAX) continue
    const rank = ANCHOR_RANK.indexOf(reason) * 1000 + terms.length
    if (rank >= bestRank) continue
    best = operator === ALL_OF ? terms.slice(0, 1) : terms
    bestRank = rank
  }
  return best
}

const ANCHOR_RANK: readonly Reason[] = [
  'referrer_domain',
  'user_segment',
  'country',
  'category',
  'language',
]

const isTraitRule = (type: Reason) =>
  type === 'device' || type === 'login_state' || type === 'new_visitor' || type === 'day_of_week'

function traitsOf(rule: TargetingRule): number {
  if (rule.type === 'device') {
    return traitMask(DEVICE, rule, (value) => DEVICES.indexOf(String(value)))
  }
  if (rule.type === 'login_state') {
    return traitMask(LOGIN, rule, (value) => (value === 'logged_in' ? 0 : 1))
  }
  if (rule.type === 'new_visitor') return traitMask(VISITOR, rule, (value) => (value ? 0 : 1))
  return traitMask(WEEKDAY, rule, Number)
}

/** All bits of other groups; of this group the rule's values, or for `not_in` all others and "unknown". */
function traitMask(
  group: { shift: number; known: number; all: number },
  rule: TargetingRule,
  bitOf: (value: string | number | boolean) => number,
): number {
  let listed = 0
  for (const value of valuesOf(rule.value)) listed |= 1 << bitOf(value)
  listed &= group.known
  const allowed = rule.operator === 'not_in' ? group.all & ~listed : listed
  return (ALL_TRAITS & ~(group.all << group.shift)) | (allowed << group.shift)
}

function hoursOf(rule: TargetingRule): number {
  let listed = 0
  if (rule.operator === 'between' && 'from' in rule.value) {
    const { from, to } = rule.value
    for (let hour = from; ; hour = (hour + 1) % 24) {
      listed |= 1 << hour
      if (hour === to) break
    }
    return listed
  }
  for (const value of valuesOf(rule.value)) listed |= 1 << Number(value)
  return rule.operator === 'not_in' ? ALL_HOURS & ~listed : listed
}

const valuesOf = (value: RuleValue): readonly (string | number | boolean)[] => {
  if ('values' in value) return value.values
  return 'value' in value ? [value.value] : []
}

function clauseOf(rule: TargetingRule, terms: Terms): Clause {
  const kind = kindOf(rule)
  const words = new Set(valuesOf(rule.value).map((value) => normalise(kind, String(value))))
  return {
    operator: operatorOf(rule.operator),
    reason: rule.type,
    terms: [...words].map((word) => terms.intern(kind, word)).toSorted((a, b) => a - b),
  }
}

function kindOf(rule: TargetingRule): TermKind {
  if (rule.type === 'country') return 'country'
  if (rule.type === 'user_segment') return 'segment'
  if (rule.type === 'language') return 'language'
  return rule.operator === 'ends_with' ? 'domain' : 'host'
}

function operatorOf(operator: RuleOperator): number {
  if (operator === 'not_in') return NONE_OF
  return operator === 'contains_all' ? ALL_OF : ANY_OF
}

function normalise(kind: TermKind, word: string): string {
  if (kind === 'country') return word.toUpperCase()
  if (kind === 'language') return word.toLowerCase()
  if (kind !== 'host' && kind !== 'domain') return word
  const host = word.toLowerCase()
  return host.startsWith('www.') ? host.slice(4) : host
}

const UNKNOWN_PAGES: readonly string[] = [UNKNOWN_PAGE]

/** Marks every term of the request. A clause then checks the marks of its terms. */
export function markContext(terms: Terms, context: Context): number {
  const request = terms.beginRequest()
  const { country, language, segments, referrerDomain, categories } = context
  if (country !== undefined) terms.mark('country', country.toUpperCase())
  if (language !== undefined) markLanguage(terms, language.toLowerCase())
  if (segments !== undefined) {
    for (let i = 0; i < segments.length; i++) terms.mark('segment', segments[i]!)
  }
  if (referrerDomain !== undefined) markReferrer(terms, normalise('host', referrerDomain))
  for (const name of categories ?? UNKNOWN_PAGES) terms.mark('category', name)
  return request
}

function markLanguage(terms: Terms, language: string): void {
  terms.mark('language', language)
  const end = language.indexOf('-')
  if (end > 0) terms.mark('language', language.slice(0, end))
}

/** `shop.example.com` ends with itself, `example.com` and `com`, at label boundaries only. */
function markReferrer(terms: Terms, host: string): void {
  terms.mark('host', host)
  terms.mark('domain', host)
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
    terms.mark('domain', host.slice(dot + 1))
  }
}

/** Sets one bit of each group. */
export function traitBits(context: Context, weekday: number): number {
  const device = context.device === undefined ? 3 : DEVICES.indexOf(context.device)
  return (
    (1 << (DEVICE.shift + device)) |
    (1 << (LOGIN.shift + knownBit(context.loggedIn))) |
    (1 << (VISITOR.shift + knownBit(context.newVisitor))) |
    (1 << (WEEKDAY.shift + weekday))
  )
}

const knownBit = (value: boolean | undefined) => {
  if (value === undefined) return 2
  return value ? 0 : 1
}

/** The first failing rule type, in the order of the reasons. */
export const failedTrait = (allowed: number, wanted: number): number =>
  failedTraits(allowed, wanted)[0]!

const TRAIT_GROUPS = [
  { group: DEVICE, code: CODE.device },
  { group: LOGIN, code: CODE.login_state },
  { group: WEEKDAY, code: CODE.day_of_week },
  { group: VISITOR, code: CODE.new_visitor },
]

/** All failing rule types. */
export function failedTraits(allowed: number, wanted: number): number[] {
  const missing = wanted & ~allowed
  const isMissing = ({ all, shift }: typeof DEVICE) => (missing & (all << shift)) !== 0
  return TRAIT_GROUPS.filter(({ group }) => isMissing(group)).map(({ code }) => code)
}

/** The programs of all campaigns, and the marks of the current request. */
export interface MarkedPrograms {
  readonly pool: Int32Array
  readonly marks: Uint32Array
  readonly request: number
}

/** PASSED, or the reason of the first clause that fails. */
export function judgeProgram(marked: MarkedPrograms, start: number, end: number): number {
  const { pool, marks, request } = marked
  let at = start
  while (at < end) {
    const head = pool[at]!
    const last = at + 2 + pool[at + 1]!
    const operator = head & 3
    // ANY_OF and NONE_OF stop at a term the request has, ALL_OF at one it lacks.
    let stopped = false
    for (let i = at + 2; i < last && !stopped; i++) {
      stopped = (marks[pool[i]!] === request) === (operator !== ALL_OF)
    }
    if (stopped !== (operator === ANY_OF)) return head >> 2
    at = last
  }
  return PASSED
}

/** The reasons of all clauses that fail. */
export function failedClauses(marked: MarkedPrograms, start: number, end: number): number[] {
  const failed: number[] = []
  for (let at = start; at < end;) {
    const next = at + 2 + marked.pool[at + 1]!
    const reason = judgeProgram(marked, at, next)
    if (reason !== PASSED) failed.push(reason)
    at = next
  }
  return failed
}
