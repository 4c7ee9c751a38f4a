import { createHash, generateKeyPairSync, sign } from 'node:crypto'

const USER_PRESENT = 1
const USER_VERIFIED = 4
const HAS_CREDENTIAL = 64

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const bigEndian = (bytes: number, value: number) => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

export interface PasskeyPlace {
  readonly host?: string
  readonly origin?: string
}

export interface PasskeyOptions extends PasskeyPlace {
  /** Whether it asks its holder for a finger, a face or a PIN. */
  readonly verifiesUser?: boolean
}

/** A passkey in software, as a phone has one in hardware: ES256, without attestation. */
export function softwarePasskey({
  host = 'localhost',
  origin = `http://${host}:8080`,
  verifiesUser = true,
}: PasskeyOptions = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const id = sha256(`${x} ${y}`)
  let counter = 0
  const present = USER_PRESENT | (verifiesUser ? USER_VERIFIED : 0)
  const authenticatorData = (flags: number, at = host) =>
    Buffer.concat([sha256(at), Buffer.of(flags), bigEndian(4, ++counter)])
  const clientData = (type: string, challenge: string, from = origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x!, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y!, 'base64url'),
  ])
  const credential = Buffer.concat([Buffer.alloc(16), bigEndian(2, id.length), id, coseKey])
  return {
    /** What the browser sends for a new passkey. `attestation` is CBOR: a format, and its statement. */
    create(challenge: string, attestation = NO_ATTESTATION) {
      const data = Buffer.concat([authenticatorData(present | HAS_CREDENTIAL), credential])
      const object = Buffer.concat([
        Buffer.from(`a3${attestation}`, 'hex'),
        Buffer.from('68617574684461746159', 'hex'),
        bigEndian(2, data.length),
        data,
      ])
      return {
        id: id.toString('base64url'),
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: object.toString('base64url'),
        transports: ['internal'],
      }
    },
    /** What the browser sends when the passkey is used, there or at another place. */
    use(challenge: string, place: PasskeyPlace = {}) {
      const data = authenticatorData(present, place.host)
      const client = clientData('webauthn.get', challenge, place.origin)
      const signed = Buffer.concat([data, sha256(client)])
      return {
        id: id.toString('base64url'),
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      }
    },
  }
}

export type SoftwarePasskey = ReturnType<typeof softwarePasskey>

/** `fmt: "none", attStmt: {}`. */
const NO_ATTESTATION = '63666d74646e6f6e656761747453746d74a0'
