import { newLinkToken } from '../links/links.ts'
import type { FactorDeps } from './codes.ts'
import { CHALLENGE_MS } from './factor.ts'
import { refuseFactor } from './own-session.ts'
import { requestOptions, type UsedPasskey } from './passkey.ts'
import { judgePasskeyUse, knownPasskeys, siteOf } from './passkeys.ts'
import {
  auditWrongFactor,
  completeWith,
  openPending,
  pendingPerson,
  type Completed,
  type SecondStep,
} from './pending-sign-in.ts'
import {
  addPending,
  findPasskey,
  savePasskeyUse,
  savePendingChallenge,
  takePendingChallenge,
} from './store.ts'

/**
 * The challenge for a passkey: of a sign-in that waits for its second factor, or, without a token, of
 * one that begins. Nobody learns from the latter who has passkeys: the browser knows its own.
 */
export function askForPasskey(deps: FactorDeps, { signInToken, ip }: PasskeyQuestion) {
  return signInToken === undefined ? askAnybody(deps, ip) : askHalfWay(deps, signInToken)
}

interface PasskeyQuestion {
  readonly signInToken: string | undefined
  readonly ip: string
}

async function askHalfWay(deps: FactorDeps, signInToken: string) {
  const site = siteOf(deps)
  const { id, userId, expiresAt } = await openPending(deps, signInToken)
  const known = userId === null ? undefined : await knownPasskeys(deps, userId)
  const options = await requestOptions(site, known, deps.random)
  await savePendingChallenge(deps.db, { id, challenge: options.challenge })
  return { signInToken, expiresAt: expiresAt.toISOString(), options }
}

async function askAnybody(deps: FactorDeps, ip: string) {
  const { db, clock, random } = deps
  const site = siteOf(deps)
  await deps.limits.takeAddress(ip)
  const options = await requestOptions(site, undefined, random)
  const { token, tokenHash } = newLinkToken(random)
  const expiresAt = new Date(clock.now().getTime() + CHALLENGE_MS)
  await addPending(db, { tokenHash, challenge: options.challenge, expiresAt })
  return { signInToken: token, expiresAt: expiresAt.toISOString(), options }
}

/**
 * Completes a sign-in with a passkey. One that began with it has no password: then the device must have
 * checked who holds it.
 */
export async function signInWithPasskey(
  deps: FactorDeps,
  { credential, ...step }: SecondStep & { readonly credential: UsedPasskey },
): Promise<Completed> {
  const pending = await openPending(deps, step.signInToken)
  const isAlone = pending.userId === null
  const challenge = await takePendingChallenge(deps.db, pending.id)
  const found = await findPasskey(deps.db, credential.id)
  const passkey = isAlone || pending.userId === found?.userId ? found : undefined
  if (!passkey && isAlone) return refuseFactor()
  const person = await pendingPerson(deps, pending.userId ?? passkey!.userId)
  const use = passkey && { credential, challenge, passkey, mustVerifyUser: isAlone }
  const counter = use && (await judgePasskeyUse(deps, use))
  if (isAlone && counter === undefined) {
    // Not counted: nobody locks out somebody whose passkey they have only heard of.
    await auditWrongFactor(deps, person, step.deviceName)
    return refuseFactor()
  }
  return completeWith(deps, {
    step,
    pending,
    person,
    async prove({ db, clock }) {
      if (!passkey || counter === undefined) return undefined
      await savePasskeyUse(db, { id: passkey.id, counter, now: clock.now() })
      return 'passkey'
    },
  })
}
