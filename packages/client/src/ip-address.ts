import { isIP } from 'node:net'

/** The bytes of an address; IPv4-mapped IPv6 becomes IPv4. Undefined if the text is not an address. */
export function addressBytes(text: string): Uint8Array | undefined {
  const [plain = ''] = text.split('%')
  const version = isIP(plain)
  if (version === 4) return Uint8Array.from(plain.split('.'), Number)
  return version === 6 ? unwrapped(wideBytes(plain)) : undefined
}

const hex = (a = '', b = '') => (Number(a) * 256 + Number(b)).toString(16)

function wideBytes(text: string): Uint8Array {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text)
  const plain = dotted
    ? `${dotted[1]}${hex(dotted[2], dotted[3])}:${hex(dotted[4], dotted[5])}`
    : text
  const [head = '', tail] = plain.split('::')
  const before = head ? head.split(':') : []
  const after = tail ? tail.split(':') : []
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  const groups = tail === undefined ? before : [...before, ...zeros, ...after]
  return Uint8Array.from(
    groups.flatMap((group) => {
      const value = Number.parseInt(group, 16)
      return [value >> 8, value & 255]
    }),
  )
}

const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]

const unwrapped = (bytes: Uint8Array): Uint8Array =>
  MAPPED.every((byte, place) => bytes[place] === byte) ? bytes.slice(12) : bytes

/** The text of an address of 4 or 16 bytes. */
export function addressText(bytes: Uint8Array): string {
  const plain = bytes.length === 16 ? unwrapped(bytes) : bytes
  if (plain.length === 4) return plain.join('.')
  const groups = Array.from({ length: 8 }, (_, place) =>
    (plain[2 * place]! * 256 + plain[2 * place + 1]!).toString(16),
  )
  return groups.join(':')
}
