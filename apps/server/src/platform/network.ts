import { isIPv6 } from 'node:net'

const GROUPS = 4
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * The network that an address stands for: an IPv4 address itself, or an IPv6 address's /64, which
 * belongs to one household.
 */
export function networkOf(address: string): string {
  const mapped = MAPPED.exec(address)
  if (mapped !== null) return mapped[1]!
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.replace(/%.*$/, '').toLowerCase().split('::')
  const front = head === '' ? [] : head.split(':')
  if (tail === undefined) return front.slice(0, GROUPS).map(plain).join(':')
  const back = tail === '' ? [] : tail.split(':')
  const room = Math.max(0, 8 - front.length - back.length)
  const groups = [...front, ...Array.from({ length: room }, () => '0'), ...back]
  return groups.slice(0, GROUPS).map(plain).join(':')
}

const plain = (group: string) => group.replace(/^0+(?=.)/, '')
