import type { ConsentSignals, Objection } from './consent.ts'

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** `Sec-GPC: 1` and `DNT: 1`. */
export function objectionOfHeaders(headers: Headers): Objection | undefined {
  if (headers['sec-gpc'] === '1') return 'gpc'
  return headers['dnt'] === '1' ? 'dnt' : undefined
}

const QUERY_NAMES = ['gdpr', 'gdpr_consent', 'gpp', 'gpp_sid', 'us_privacy', 'coppa'] as const

/** The names that players, wrappers and cookie syncs use in addresses. Undefined without any of them. */
export function signalsOfQuery(query: unknown): ConsentSignals | undefined {
  if (typeof query !== 'object' || query === null) return undefined
  const said = query as Readonly<Record<string, unknown>>
  if (QUERY_NAMES.every((name) => said[name] === undefined)) return undefined
  const gdpr = valueOf(said['gdpr'])
  return {
    gdprApplies: gdpr === undefined ? undefined : gdpr !== '0',
    tcString: valueOf(said['gdpr_consent']),
    gpp: valueOf(said['gpp']),
    gppSections: sectionsOf(valueOf(said['gpp_sid'])),
    usPrivacy: valueOf(said['us_privacy']),
    isChild: valueOf(said['coppa']) === '1',
  }
}

/** The `consent` of our own requests: strings by name, and a flag for each use. */
export function signalsOfFields(consent: Readonly<Record<string, unknown>>): ConsentSignals {
  const { gdprApplies, tcString, gpp, gppSections, usPrivacy, isChild, ...flags } = consent
  return {
    gdprApplies: typeof gdprApplies === 'boolean' ? gdprApplies : undefined,
    tcString: valueOf(tcString),
    gpp: valueOf(gpp),
    gppSections: Array.isArray(gppSections) ? wholeSections(gppSections) : undefined,
    usPrivacy: valueOf(usPrivacy),
    isChild: isChild === true,
    flags,
  }
}

/** A macro that nobody filled, such as `[GDPR]`, `%%GDPR%%` or `{{gdpr}}`, says nothing. */
export const isUnfilledMacro = (text: string): boolean =>
  /^(?:\[.*\]|%%.*%%|\{\{?.*\}?\}|\$\{.*\})$/s.test(text)

function valueOf(value: unknown): string | undefined {
  const text: unknown = Array.isArray(value) ? value[0] : value
  return typeof text === 'string' && text !== '' && !isUnfilledMacro(text) ? text : undefined
}

const SECTIONS_MAX = 32

const sectionsOf = (text: string | undefined): readonly number[] | undefined =>
  text === undefined ? undefined : wholeSections(text.split(/[,_]/).map(Number))

const wholeSections = (sections: readonly unknown[]): readonly number[] =>
  sections.filter((section) => Number.isInteger(section)).slice(0, SECTIONS_MAX) as number[]
