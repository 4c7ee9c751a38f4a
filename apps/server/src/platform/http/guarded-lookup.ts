import type { LookupAddress, LookupOptions } from 'node:dns'
import ipaddr from 'ipaddr.js'

/** True for ordinary internet addresses; false for our own machines and private networks. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'unicast'
}

export const isAddress = (host: string): boolean => ipaddr.isValid(host.replace(/^\[(.*)\]$/, '$1'))

export class AddressRefused extends Error {
  constructor(host: string) {
    super(`${host} is not on the internet; list it in the settings if it should be called`)
  }
}

/** Resolves all addresses of a host. */
export type Resolve = (
  host: string,
  answer: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

type Callback = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/**
 * The DNS lookup of the connection itself: the address checked is the address connected to, so a name
 * that resolves differently the second time gains nothing.
 */
export const guardedLookup =
  ({ resolve, isListed }: { resolve: Resolve; isListed(host: string): boolean }) =>
  (host: string, options: LookupOptions, callback: Callback): void =>
    resolve(host, (error, addresses) => {
      if (error) return callback(error, [])
      const isOurs = !addresses.every(({ address }) => isPublicAddress(address))
      const [first] = addresses
      if (!first || (isOurs && !isListed(host))) return callback(new AddressRefused(host), [])
      if (options.all) return callback(null, addresses)
      return callback(null, first.address, first.family)
    })
