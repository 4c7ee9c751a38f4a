import { loadPart } from './part.ts'
import { safely } from './safely.ts'
import type { Settings } from './settings.ts'

/** The reader's consent: what the page says of storage and personalisation, and the strings of its platforms. */
export interface Consent {
  readonly storage?: boolean
  readonly personalisation?: boolean
  readonly gdprApplies?: boolean
  readonly tcString?: string
  readonly gpp?: string
  readonly gppSections?: readonly number[]
  readonly usPrivacy?: string
}

export interface Reader {
  setConsent(consent: Consent): void
  /** Resolves at once without a consent platform; else when it has answered, or took too long. */
  readonly whenAsked: Promise<void>
  /** The reader as a request describes them. */
  describe(): {
    readonly userId: string | undefined
    readonly contextToken: string | undefined
    readonly consent: Consent | undefined
  }
}

const KEY = 'placard-reader'
const REFUSED: Consent = { storage: false, personalisation: false }
const PLATFORMS = ['__tcfapi', '__gpp', '__uspapi']

interface Signals extends Navigator {
  readonly globalPrivacyControl?: boolean
}

export function createReader(settings: Settings): Reader {
  const { userId, contextToken } = settings
  let said: Consent | undefined
  const { globalPrivacyControl, doNotTrack } = navigator as Signals
  const hasRefused = globalPrivacyControl === true || doNotTrack === '1'
  const setConsent = (given: Consent) => {
    said = given
    if (given.storage === false) forget()
  }
  const platform = PLATFORMS.some((name) => name in window)
  // Until the platform has answered, nothing is allowed.
  if (platform) said = REFUSED
  return {
    setConsent,
    whenAsked: platform
      ? loadPart(settings, 'consent').then(
          ({ followPlatforms }) => followPlatforms(setConsent),
          () => {},
        )
      : Promise.resolve(),
    describe() {
      const consent = hasRefused ? REFUSED : said
      const isRefused = consent?.storage === false || consent?.personalisation === false
      const id = isRefused ? undefined : userId || (consent?.storage && remembered())
      return { userId: id || undefined, contextToken: contextToken || undefined, consent }
    },
  }
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
