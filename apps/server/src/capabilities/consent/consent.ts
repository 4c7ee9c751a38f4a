import { GppModel } from '@iabgpp/cmpapi'
import { LRUCache } from 'lru-cache'
import { judgeGpp } from './gpp.ts'
import {
  ALLOWED,
  both,
  NOT_FOLLOWED,
  type Permissions,
  REFUSED,
  refusesNothing,
} from './permissions.ts'
import { judgeTcString } from './tcf.ts'
import { isSaleRefused } from './us-privacy.ts'

/** What a request says about the reader's wishes, wherever each signal was found. */
export interface ConsentSignals {
  /** Undefined: not said. A TC string is read then, too. */
  readonly gdprApplies?: boolean | undefined
  readonly tcString?: string | undefined
  readonly gpp?: string | undefined
  /** Sections of the GPP string that apply; without them none counts. */
  readonly gppSections?: readonly number[] | undefined
  readonly usPrivacy?: string | undefined
  /** COPPA applies. */
  readonly isChild?: boolean | undefined
  /** The reader objects to being followed at all. */
  readonly objection?: Objection | undefined
  /** Flags of the page or the caller. Any flag that is `false` is a refusal. */
  readonly flags?: Readonly<Record<string, unknown>> | undefined
}

/** `Sec-GPC`, `DNT`, limited ad tracking of a device, an opt-out of the reader. */
export type Objection = 'gpc' | 'dnt' | 'limited-tracking' | 'opt-out'

export type ConsentReason = 'tcf' | 'gpp' | 'us-privacy' | 'coppa' | 'flags' | Objection

export interface Consent extends Permissions {
  /** The first signal that refuses something. */
  readonly reason: ConsentReason | undefined
}

export interface ConsentTerms {
  /** This vendor of the Global Vendor List needs consent, too. */
  readonly vendorId?: number | undefined
  /** Of a reader who refuses that ads are selected: an ad chosen by page and place, or none. */
  readonly withoutPurpose2?: 'contextual' | 'none' | undefined
}

const NO_REFUSAL: Consent = { ...ALLOWED, reason: undefined }

/** Longer strings are not decoded: they count as broken. Real ones have at most about 2,000 characters. */
export const CONSENT_LENGTH_MAX = 8_192
const STRINGS_KEPT = 5_000

/** Reads signals into permissions. Strings repeat, so each is decoded once. */
export type ReadConsent = (signals: ConsentSignals) => Consent

export function createConsentReader({
  vendorId,
  withoutPurpose2 = 'contextual',
}: ConsentTerms = {}): ReadConsent {
  const ofTcString = decodedOnce((text) => judgeTcString(text, vendorId))
  const ofGpp = decodedOnce((text) => new GppModel(text))
  return (signals) => {
    let found: Consent = NO_REFUSAL
    for (const [reason, permissions] of verdictsOf(signals)) {
      if (refusesNothing(permissions)) continue
      found = { ...both(found, permissions), reason: found.reason ?? reason }
    }
    if (found.maySelect || withoutPurpose2 === 'none') return found
    return { ...found, maySelect: true, mayPersonalise: false }
  }

  /** One verdict per signal that is there; the order decides which reason is named. */
  function* verdictsOf(signals: ConsentSignals): Generator<[ConsentReason, Permissions]> {
    const { gdprApplies, tcString, gpp, gppSections, usPrivacy, objection, flags } = signals
    if (signals.isChild === true) yield ['coppa', { ...NOT_FOLLOWED, isChild: true }]
    if (objection !== undefined) yield [objection, NOT_FOLLOWED]
    if (gdprApplies === true || (gdprApplies === undefined && tcString !== undefined)) {
      yield ['tcf', ofTcString(tcString) ?? REFUSED]
    }
    if (gppSections !== undefined && gppSections.some((section) => section > 0)) {
      yield ['gpp', judgeGpp({ gpp, sections: gppSections, modelOf: ofGpp, ofTcString })]
    }
    if (usPrivacy !== undefined && isSaleRefused(usPrivacy)) yield ['us-privacy', NOT_FOLLOWED]
    if (flags !== undefined) yield ['flags', permissionsOfFlags(flags)]
  }
}

/** The page's own words: `{storage, personalisation}` and any other use it names. */
function permissionsOfFlags(flags: Readonly<Record<string, unknown>>): Permissions {
  const isRefused = Object.values(flags).includes(false)
  return {
    ...ALLOWED,
    mayStore: !isRefused,
    mayIdentify: !isRefused,
    mayMeasure: !isRefused,
    mayPersonalise: flags['personalisation'] !== false,
  }
}

/** Undefined for a string that is missing or broken; such a string is decoded once, too. */
function decodedOnce<Decoded extends object>(
  decode: (text: string) => Decoded,
): (text: string | undefined) => Decoded | undefined {
  const kept = new LRUCache<string, { readonly decoded: Decoded | undefined }>({
    max: STRINGS_KEPT,
  })
  return (text) => {
    if (text === undefined || text === '' || text.length > CONSENT_LENGTH_MAX) return undefined
    const found = kept.get(text) ?? { decoded: decodedOrNothing(text, decode) }
    kept.set(text, found)
    return found.decoded
  }
}

/** The libraries throw errors of many kinds at a broken string. */
function decodedOrNothing<Decoded>(text: string, decode: (text: string) => Decoded) {
  try {
    return decode(text)
  } catch {
    return undefined
  }
}
