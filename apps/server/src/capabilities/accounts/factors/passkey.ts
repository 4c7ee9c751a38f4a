import type { WebAuthnCredential } from '@simplewebauthn/server'
import type { AttestationObject } from '@simplewebauthn/server/helpers'
import type { Random } from '../../../platform/random.ts'
import type { PasskeySite } from './passkey-site.ts'

/** What the site is called in the browser's dialog. */
const SITE_NAME = 'Placard'
const CHALLENGE_BYTES = 32
const TIMEOUT_MS = 5 * 60_000
/** EdDSA, ES256 and RS256: every passkey has one of them. */
const ALGORITHMS = [-8, -7, -257]

/** Loaded on first use: it takes about 200 ms and 30 MB. */
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

interface KnownPasskey {
  readonly id: string
  readonly transports?: string[]
}

interface NewOwner {
  readonly publicId: string
  readonly email: string
  readonly displayName: string
  /** Passkeys that the user has: a device is not to make another one. */
  readonly known: readonly KnownPasskey[]
}

/** What a browser needs to make a passkey that can also sign in alone. */
export async function creationOptions(
  { host }: PasskeySite,
  { publicId, email, displayName, known }: NewOwner,
  random: Random,
) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: SITE_NAME,
    rpID: host,
    userID: Uint8Array.from(Buffer.from(publicId.replaceAll('-', ''), 'hex')),
    userName: email,
    userDisplayName: displayName,
    challenge: Uint8Array.from(random.bytes(CHALLENGE_BYTES)),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: [...known],
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/** What a browser needs to use a passkey: one of those known, or any that it has for the site. */
export async function requestOptions(
  { host }: PasskeySite,
  known: readonly KnownPasskey[] | undefined,
  random: Random,
) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: host,
    challenge: Uint8Array.from(random.bytes(CHALLENGE_BYTES)),
    timeout: TIMEOUT_MS,
    userVerification: known ? 'discouraged' : 'required',
    ...(known && { allowCredentials: [...known] }),
  })
}

export interface CreatedPasskey {
  readonly id: string
  readonly clientDataJSON: string
  readonly attestationObject: string
  readonly transports?: string[]
}

/** What was sent is right, or what is wrong with it, for the log. */
export type Verdict<Value> = { readonly value: Value } | { readonly fault: string }

/** Judges the passkey that a browser made. */
export async function judgeCreated(
  site: PasskeySite,
  { id, transports = [], ...response }: CreatedPasskey,
  challenge: string,
): Promise<Verdict<WebAuthnCredential>> {
  const [{ verifyRegistrationResponse }, decode] = await Promise.all([library(), helpers()])
  return judged(async () => {
    refuseCertificates(decode.decodeAttestationObject(bytesOf(response.attestationObject)))
    const { registrationInfo } = await verifyRegistrationResponse({
      response: answerOf(id, { ...response, transports }),
      expectedChallenge: challenge,
      expectedOrigin: originsOf(site, decode.decodeClientDataJSON(response.clientDataJSON)),
      expectedRPID: site.host,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    return registrationInfo?.credential
  })
}

/**
 * We ask for no attestation. One with certificates is refused before anybody reads it: checking it asks
 * addresses that stand in the certificates.
 */
function refuseCertificates(attestation: AttestationObject): void {
  const format = attestation.get('fmt')
  const isPlain = format === 'none'
  const isSelfSigned = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined
  if (!isPlain && !isSelfSigned) throw new Error(`attestation with certificates: ${format}`)
}

export interface UsedPasskey {
  readonly id: string
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
}

interface Expected {
  readonly challenge: string
  readonly passkey: Pick<WebAuthnCredential, 'publicKey' | 'counter'>
  /** The device must have asked for a finger, a face or a PIN. */
  readonly mustVerifyUser: boolean
}

/** Judges the use of a passkey. The value is its new counter. */
export async function judgeUsed(
  site: PasskeySite,
  { id, ...response }: UsedPasskey,
  { challenge, passkey, mustVerifyUser }: Expected,
): Promise<Verdict<number>> {
  const [{ verifyAuthenticationResponse }, decode] = await Promise.all([library(), helpers()])
  return judged(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answerOf(id, response),
      expectedChallenge: challenge,
      expectedOrigin: originsOf(site, decode.decodeClientDataJSON(response.clientDataJSON)),
      expectedRPID: site.host,
      credential: { id, ...passkey },
      requireUserVerification: mustVerifyUser,
    })
    return verified ? authenticationInfo.newCounter : undefined
  })
}

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))

const answerOf = <Response>(id: string, response: Response) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  clientExtensionResults: {},
  response,
})

/** The origin of the page if it is ours; else none, which matches nothing. */
const originsOf = (site: PasskeySite, { origin }: { readonly origin: string }): string[] =>
  site.isOurs(origin) ? [origin] : []

/** The library throws for whatever is wrong with what a browser sent. */
async function judged<Value>(verify: () => Promise<Value | undefined>): Promise<Verdict<Value>> {
  try {
    const value = await verify()
    return value === undefined ? { fault: 'the signature is wrong' } : { value }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'unreadable' }
  }
}
