import type { LookupAddress, LookupOptions } from 'node:dns'
import ipaddr from 'ipaddr.js'

/** Everything but ordinary addresses of the internet: our own machines, networks and their doors. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'unicast'
}

export const isAddress = (host: string): boolean => ipaddr.isValid(host.replace(/^\[(.*)\]$/, '$1'))

export class AddressRefused extends Error {
  constructor(host: string) {
    super(`${host} is not on the internet; list it in WEBHOOK_ALLOWED_HOSTS if it should be called`)
  }
}

type Callback = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** Finds the addresses of a host, all of them. */
export type Resolve = (host: string) => Promise<LookupAddress[]>

/**
 * Looks names up for the connection itself. What is checked is what is connected to: a name that
 * answers differently the second time gains nothing.
 */
export const guardedLookup =
  ({ resolve, isListed }: { resolve: Resolve; isListed(host: string): boolean }) =>
  (host: string, options: LookupOptions, callback: Callback): void => {
    void resolve(host).then(
      (addresses) => {
        const isRefused =
          !isListed(host) && !addresses.every(({ address }) => isPublicAddress(address))
        const [first] = addresses
        if (isRefused || !first) callback(new AddressRefused(host), [])
        else if (options.all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, []),
    )
  }
