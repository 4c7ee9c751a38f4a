import type { Consent, ConsentSignals, ReadConsent } from './consent.ts'
import { ALLOWED, both } from './permissions.ts'
import { objectionOfHeaders, signalsOfFields, signalsOfQuery } from './signals.ts'

/** The parts of a request in which browsers and players put signals. */
export interface ConsentRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly query?: unknown
}

/** What the body says, in our words or as the door of another ad server has read it. */
export interface GivenConsent {
  readonly consent?: Readonly<Record<string, unknown>> | undefined
  readonly signals?: ConsentSignals | undefined
}

const NOTHING_SAID: Consent = { ...ALLOWED, reason: undefined }
const NOTHING_GIVEN: GivenConsent = {}

/** Reads every place of a request. Whoever says no anywhere is believed. */
export function consentOf(
  readConsent: ReadConsent,
  { headers, query }: ConsentRequest,
  { consent, signals }: GivenConsent = NOTHING_GIVEN,
): Consent {
  const objection = objectionOfHeaders(headers)
  const asked = signalsOfQuery(query)
  if (objection === undefined && asked === undefined && consent === undefined && !signals) {
    return NOTHING_SAID
  }
  const places = [objection && { objection }, asked, consent && signalsOfFields(consent), signals]
  let found = NOTHING_SAID
  for (const place of places) {
    if (place === undefined) continue
    const read = readConsent(place)
    found = { ...both(found, read), reason: found.reason ?? read.reason }
  }
  return found
}
