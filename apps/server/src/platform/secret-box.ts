import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { CompactEncrypt, compactDecrypt } from 'jose'

/** Keeps what must be read again but never be read by others: sealed at rest, opened where it is used. */
export interface SecretBox {
  seal(text: string): Promise<string>
  open(sealed: string): Promise<string>
}

/** What seals, and what opens beside it while secrets are rotated. */
export interface BoxSecrets {
  readonly encryptionSecret: string
  readonly otherEncryptionSecret?: string | undefined
}

export function secretBoxOf(secrets: BoxSecrets, purpose: string): SecretBox {
  const { encryptionSecret, otherEncryptionSecret: other } = secrets
  const box = openSecretBox(encryptionSecret, purpose)
  if (other === undefined) return box
  const otherBox = openSecretBox(other, purpose)
  return {
    seal: (text) => box.seal(text),
    open: (sealed) => box.open(sealed).catch(() => otherBox.open(sealed)),
  }
}

/** `purpose` parts what is sealed for one thing from what is sealed for another. */
export function openSecretBox(secret: string, purpose: string): SecretBox {
  const key: KeyObject = createSecretKey(
    new Uint8Array(hkdfSync('sha256', secret, '', `placard ${purpose}`, 32)),
  )
  return {
    seal: (text) =>
      new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(key),
    async open(sealed) {
      const { plaintext } = await compactDecrypt(sealed, key)
      return new TextDecoder().decode(plaintext)
    },
  }
}
