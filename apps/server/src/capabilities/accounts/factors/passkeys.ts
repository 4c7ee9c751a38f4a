import { Problem } from '../../../platform/problem.ts'
import { accountProblems } from '../problems.ts'
import type { FactorDeps } from './codes.ts'
import { CHALLENGE_MS, type ChallengePurpose } from './factor.ts'
import { refuseTooMany, type NewFactor } from './operations.ts'
import { prove, refuseFactor, requireFreshProof, type OwnSession } from './own-session.ts'
import * as webauthn from './passkey.ts'
import type { PasskeySite } from './passkey-site.ts'
import {
  findPasskey,
  listFactors,
  saveChallenge,
  savePasskeyUse,
  takeChallenge,
  type FactorRow,
} from './store.ts'

export function siteOf({ passkeySite }: FactorDeps): PasskeySite {
  if (passkeySite) return passkeySite
  throw new Problem(accountProblems.passkeysUnavailable, 'Nothing was changed.')
}

/** The passkeys of a user, as a browser is told of them. */
export async function knownPasskeys({ db }: Pick<FactorDeps, 'db'>, userId: bigint) {
  return (await listFactors(db, userId)).flatMap(({ credentialId, transports }) =>
    credentialId === null ? [] : [{ id: credentialId, transports: transports ?? [] }],
  )
}

/** Begins to add a passkey: the browser makes it, and `judgeNewPasskey` takes it. */
export async function beginPasskey(deps: FactorDeps, own: OwnSession) {
  const site = siteOf(deps)
  await requireFreshProof(deps, own)
  await refuseTooMany(deps, own)
  const known = await knownPasskeys(deps, own.person.userId)
  const options = await webauthn.creationOptions(site, { ...own.person, known }, deps.random)
  return ask(deps, own, { purpose: 'add-passkey', options })
}

/** Whatever comes of it, the challenge is used up. */
export async function judgeNewPasskey(
  deps: FactorDeps,
  { sessionId }: OwnSession,
  { name, credential }: { name: string; credential: webauthn.CreatedPasskey },
): Promise<NewFactor> {
  const site = siteOf(deps)
  const key = { sessionId, purpose: 'add-passkey' } as const
  const challenge = await takeChallenge(deps.db, key, deps.clock.now())
  if (challenge === undefined) throw new Problem(accountProblems.setUpExpired, 'Begin again.')
  const made = valueOf(deps, await webauthn.judgeCreated(site, credential, challenge))
  if (!made || (await findPasskey(deps.db, made.id))) return refuseFactor()
  return {
    kind: 'passkey',
    name,
    credentialId: made.id,
    publicKey: Buffer.from(made.publicKey),
    counter: made.counter,
    transports: made.transports ?? [],
  }
}

/** Begins to prove with a passkey that it is still the user. */
export async function askForOwnPasskey(deps: FactorDeps, own: OwnSession) {
  const known = await knownPasskeys(deps, own.person.userId)
  const options = await webauthn.requestOptions(siteOf(deps), known, deps.random)
  return ask(deps, own, { purpose: 'prove', options })
}

export function proveByPasskey(
  deps: FactorDeps,
  own: OwnSession,
  credential: webauthn.UsedPasskey,
): Promise<void> {
  return prove(deps, own, {
    refusal: accountProblems.factorRefused,
    async isRight() {
      const now = deps.clock.now()
      const key = { sessionId: own.sessionId, purpose: 'prove' } as const
      const challenge = await takeChallenge(deps.db, key, now)
      const passkey = await findPasskey(deps.db, credential.id)
      if (passkey?.userId !== own.person.userId) return false
      const use = { credential, challenge, passkey, mustVerifyUser: false }
      const counter = await judgePasskeyUse(deps, use)
      if (counter === undefined) return false
      await savePasskeyUse(deps.db, { id: passkey.id, counter, now })
      return true
    },
  })
}

interface PasskeyUse {
  readonly credential: webauthn.UsedPasskey
  readonly challenge: string | undefined
  readonly passkey: FactorRow
  readonly mustVerifyUser: boolean
}

/** The new counter of the passkey; undefined if it was used wrongly. */
export async function judgePasskeyUse(
  deps: FactorDeps,
  { credential, challenge, passkey, mustVerifyUser }: PasskeyUse,
): Promise<number | undefined> {
  const { publicKey, counter } = passkey
  if (challenge === undefined || publicKey === null || counter === null) return undefined
  const key = { publicKey: Uint8Array.from(publicKey), counter }
  const expected = { challenge, passkey: key, mustVerifyUser }
  return valueOf(deps, await webauthn.judgeUsed(siteOf(deps), credential, expected))
}

interface Question<Options> {
  readonly purpose: ChallengePurpose
  readonly options: Options
}

async function ask<Options extends { readonly challenge: string }>(
  { db, clock }: FactorDeps,
  { sessionId }: OwnSession,
  { purpose, options }: Question<Options>,
) {
  const expiresAt = new Date(clock.now().getTime() + CHALLENGE_MS)
  await saveChallenge(db, { sessionId, purpose, challenge: options.challenge, expiresAt })
  return { options, expiresAt: expiresAt.toISOString() }
}

/** Why a passkey was refused is told to the operator only: often it is a wrong `PUBLIC_URL`. */
function valueOf<Value>({ log }: FactorDeps, verdict: webauthn.Verdict<Value>): Value | undefined {
  if ('value' in verdict) return verdict.value
  log.info({ fault: verdict.fault }, 'a passkey was refused')
  return undefined
}
