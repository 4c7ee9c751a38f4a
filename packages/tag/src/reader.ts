import { safely } from './safely.ts'
import type { Settings } from './settings.ts'

/** The reader's consent. Undefined means not asked. */
export interface Consent {
  readonly storage?: boolean
  readonly personalisation?: boolean
}

export interface Reader {
  setConsent(consent: Consent): void
  /** The reader as a request describes them. */
  describe(): {
    readonly userId: string | undefined
    readonly contextToken: string | undefined
    readonly consent: Consent | undefined
  }
}

const KEY = 'placard-reader'
const REFUSED: Consent = { storage: false, personalisation: false }

interface Signals extends Navigator {
  readonly globalPrivacyControl?: boolean
}

export function createReader({ userId, contextToken }: Settings): Reader {
  let said: Consent | undefined
  const { globalPrivacyControl, doNotTrack } = navigator as Signals
  const hasRefused = globalPrivacyControl === true || doNotTrack === '1'
  const reader: Reader = {
    setConsent(consent) {
      said = consent
      if (consent.storage === false) forget()
    },
    describe() {
      const consent = hasRefused ? REFUSED : said
      const isRefused = Object.values(consent ?? {}).includes(false)
      const id = isRefused ? undefined : userId || (consent?.storage && remembered())
      return { userId: id || undefined, contextToken: contextToken || undefined, consent }
    },
  }
  followConsentPlatform(reader)
  return reader
}

/** A random key for this site only; undefined where storage is blocked. */
function remembered(): string | undefined {
  try {
    const key = localStorage.getItem(KEY) ?? crypto.getRandomValues(new Uint32Array(4)).join('-')
    localStorage.setItem(KEY, key)
    return key
  } catch {
    return undefined
  }
}

const forget = safely(() => localStorage.removeItem(KEY))

interface ConsentData {
  readonly eventStatus: string
  readonly gdprApplies?: boolean
  readonly purpose?: { readonly consents?: Readonly<Record<number, boolean>> }
}

type ConsentPlatform = (
  command: string,
  version: number,
  answer: (data: ConsentData, isFine: boolean) => void,
) => void

const STORE = 1
const PROFILE = 3
const CHOOSE = 4

/** Follows the page's consent platform (IAB TCF), if it has one. */
function followConsentPlatform(reader: Reader): void {
  const { __tcfapi: ask } = window as { __tcfapi?: ConsentPlatform }
  if (typeof ask !== 'function') return
  ask('addEventListener', 2, ({ eventStatus, gdprApplies, purpose }, isFine) => {
    if (!isFine || eventStatus === 'cmpuishown') return
    const allows = (id: number) => gdprApplies === false || purpose?.consents?.[id] === true
    reader.setConsent({
      storage: allows(STORE),
      personalisation: allows(PROFILE) && allows(CHOOSE),
    })
  })
}
