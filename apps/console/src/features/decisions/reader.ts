import type { Explained } from '@placard/contract/explain'
import { countryName } from '../../ui/format/codes.ts'

type Asked = Pick<Explained, 'context' | 'isUserKnown'>

export interface ReaderFact {
  readonly name: string
  readonly value: string
}

/** Purchases that are older no longer raise click rates. */
const RECENT_PURCHASE_DAYS = 14

/** What the decision knew of its reader, in words. */
export function readerFacts({ context, isUserKnown }: Asked): ReaderFact[] {
  const { device, country, language, referrerDomain, segments, loggedIn, newVisitor } = context
  const purchase = context['lastPurchaseDaysAgo']
  return [
    { name: 'User id', value: isUserKnown ? 'Given: frequency caps apply' : 'None' },
    ...textFact('Device', device),
    ...textFact('Country', typeof country === 'string' ? countryName(country) : country),
    ...textFact('Language', language),
    ...textFact('Comes from', referrerDomain),
    ...yesNoFact('Visitor', newVisitor, ['New', 'Returning']),
    ...yesNoFact('Signed in', loggedIn, ['Yes', 'No']),
    ...textFact('Segments', Array.isArray(segments) ? segments.join(', ') : undefined),
    ...(typeof purchase === 'number' ? [purchaseFact(purchase)] : []),
  ]
}

const textFact = (name: string, value: unknown): ReaderFact[] =>
  typeof value === 'string' && value !== '' ? [{ name, value }] : []

const yesNoFact = (name: string, value: unknown, [yes, no]: readonly [string, string]) =>
  typeof value === 'boolean' ? [{ name, value: value ? yes : no }] : []

function purchaseFact(days: number): ReaderFact {
  const when = days === 0 ? 'Within the last day' : `${days} ${days === 1 ? 'day' : 'days'} ago`
  const lifts = days <= RECENT_PURCHASE_DAYS
  const effect = lifts ? 'expected click rates are a tenth higher' : 'too long ago to count'
  return { name: 'Last purchase', value: `${when}: ${effect}` }
}
