import type { Random } from '../../../platform/random.ts'
import { hashSecret } from '../sessions/tokens.ts'

export const RECOVERY_CODES = 10
/** Without letters that look like digits: Crockford's base32. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 16
const GROUP = 4

/** 80 random bits each: a fast hash is enough. */
export function newRecoveryCodes(random: Random): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = [...random.bytes(LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
    return letters.match(new RegExp(`.{${GROUP}}`, 'g'))!.join('-')
  })
}

/** As people type it: in any case, with or without dashes, and with letters that they misread. */
export function hashRecoveryCode(typed: string): Buffer {
  const letters = typed
    .toLowerCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')
  return hashSecret(`recovery code ${letters}`)
}
