import { Secret, TOTP } from 'otpauth'
import type { Random } from '../../../platform/random.ts'

const STEP_SECONDS = 30
/** Clocks of phones differ, and typing takes a while: one step before and after is accepted. */
const STEPS_AROUND = 1
const SECRET_BYTES = 20

/** What every app expects: SHA-1, six digits, 30 seconds (RFC 6238). */
const codesOf = (secret: Secret) =>
  new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: STEP_SECONDS })

/** A new secret, in base32 as people type it. */
export function newSecret(random: Random): string {
  const bytes = Uint8Array.from(random.bytes(SECRET_BYTES))
  return new Secret({ buffer: bytes.buffer }).base32
}

/** The address that a QR code brings into the app. */
export function addressOf(secret: string, { issuer, label }: { issuer: string; label: string }) {
  return new TOTP({ secret: Secret.fromBase32(secret), issuer, label }).toString()
}

/** The step whose code this is; undefined if it is none of those around now. */
export function stepOf(secret: string, { code, now }: { code: string; now: Date }) {
  const timestamp = now.getTime()
  const delta = codesOf(Secret.fromBase32(secret)).validate({
    token: code,
    timestamp,
    window: STEPS_AROUND,
  })
  return delta === null ? undefined : Math.floor(timestamp / (STEP_SECONDS * 1_000)) + delta
}
