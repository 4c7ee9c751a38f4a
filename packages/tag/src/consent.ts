import { safely } from './safely.ts'
import type { Consent } from './reader.ts'

/** What the consent platforms of a page have said so far. Called again whenever the reader changes it. */
export type OnConsent = (consent: Consent) => void

type Ask<Given extends unknown[], Said> = (
  command: string,
  ...given: [...Given, (said: Said, isFine?: boolean) => void]
) => void

interface TcfSaid {
  readonly eventStatus: string
  readonly gdprApplies?: boolean
  readonly tcString?: string
  readonly purpose?: { readonly consents?: Readonly<Record<number, boolean>> }
}

interface GppSaid {
  readonly pingData?: {
    readonly signalStatus?: string
    readonly gppString?: string
    readonly applicableSections?: readonly number[]
  }
}

interface Platforms {
  readonly __tcfapi?: Ask<[version: number], TcfSaid>
  readonly __gpp?: Ask<[], GppSaid>
  readonly __uspapi?: Ask<[version: number], { readonly uspString?: string }>
}

const STORE = 1
const PROFILE = 3
const CHOOSE = 4
/** As many characters as Placard accepts. A cut string is a broken one, which refuses. */
const STRING_MAX = 8_192
const SECTIONS_MAX = 32
/** Ads without the reader come sooner than a slow answer. */
const PATIENCE_MS = 2_000

/**
 * Follows the consent platforms of the page: IAB TCF, IAB GPP and US privacy. Hands their strings on, which
 * Placard reads. Resolves when each platform has answered once, or took too long.
 */
export async function followPlatforms(onConsent: OnConsent): Promise<void> {
  const { __tcfapi, __gpp, __uspapi } = window as Platforms
  let all: Consent = {}
  const hear =
    (done: () => void): OnConsent =>
    (more) => {
      all = { ...all, ...more }
      onConsent(all)
      done()
    }
  const answers: Promise<void>[] = []
  if (typeof __tcfapi === 'function') answers.push(answered((done) => askTcf(__tcfapi, hear(done))))
  if (typeof __gpp === 'function') answers.push(answered((done) => askGpp(__gpp, hear(done))))
  if (typeof __uspapi === 'function')
    answers.push(answered((done) => askUsPrivacy(__uspapi, hear(done))))
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  await Promise.race([Promise.all(answers), patience])
}

const answered = (ask: (done: () => void) => void) =>
  new Promise<void>((resolve) => safely(ask)(resolve))

const cut = (text = '') => text.slice(0, STRING_MAX)

function askTcf(ask: NonNullable<Platforms['__tcfapi']>, hear: OnConsent): void {
  ask(
    'addEventListener',
    2,
    safely(({ eventStatus, gdprApplies, tcString, purpose }: TcfSaid, isFine?: boolean) => {
      if (!isFine || eventStatus === 'cmpuishown') return
      if (gdprApplies === false) return hear({ gdprApplies, storage: true })
      const allows = (id: number) => purpose?.consents?.[id] === true
      hear({
        gdprApplies: true,
        tcString: cut(tcString),
        storage: allows(STORE),
        personalisation: allows(PROFILE) && allows(CHOOSE),
      })
    }),
  )
}

function askGpp(ask: NonNullable<Platforms['__gpp']>, hear: OnConsent): void {
  const read = safely(({ pingData }: GppSaid) => {
    if (pingData?.signalStatus !== 'ready') return
    hear({
      gpp: cut(pingData.gppString),
      gppSections: (pingData.applicableSections ?? []).slice(0, SECTIONS_MAX),
    })
  })
  ask('addEventListener', read)
  // A platform that is ready says so once, before anybody listens.
  ask('ping', (pingData) => read({ pingData } as GppSaid))
}

function askUsPrivacy(ask: NonNullable<Platforms['__uspapi']>, hear: OnConsent): void {
  ask(
    'getUSPData',
    1,
    safely((said: { readonly uspString?: string }, isFine?: boolean) =>
      hear(isFine && said.uspString ? { usPrivacy: cut(said.uspString).slice(0, 8) } : {}),
    ),
  )
}
