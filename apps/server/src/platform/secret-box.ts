import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { CompactEncrypt, compactDecrypt } from 'jose'

/** Encrypts secrets at rest and decrypts them where they are used. */
export interface SecretBox {
  seal(text: string): Promise<string>
  open(sealed: string): Promise<string>
}

/** The secret to encrypt with, and older ones that still decrypt during a rotation. */
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

/** Each `purpose` has its own key: one cannot decrypt what another encrypted. */
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
