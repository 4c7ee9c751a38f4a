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

/** What a rotation has to do with a stored secret. `sealed` holds it anew, with the current secret. */
export type Renewal =
  | { readonly state: 'current' }
  | { readonly state: 'older'; readonly sealed: string }
  | { readonly state: 'unreadable' }

export type Renew = (sealed: string) => Promise<Renewal>

/** Seals with the current secret what the other one sealed. */
export function renewalOf(
  { encryptionSecret, otherEncryptionSecret: other }: BoxSecrets,
  purpose: string,
): Renew {
  const box = openSecretBox(encryptionSecret, purpose)
  const otherBox = other === undefined ? undefined : openSecretBox(other, purpose)
  return async (sealed) => {
    if ((await opened(box, sealed)) !== undefined) return { state: 'current' }
    const text = otherBox && (await opened(otherBox, sealed))
    return text === undefined
      ? { state: 'unreadable' }
      : { state: 'older', sealed: await box.seal(text) }
  }
}

const opened = (box: SecretBox, sealed: string): Promise<string | undefined> =>
  box.open(sealed).catch(() => undefined)

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
