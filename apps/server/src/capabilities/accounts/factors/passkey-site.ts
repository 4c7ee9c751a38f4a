import ipaddr from 'ipaddr.js'

/** The site that passkeys belong to. Browsers take one by its name, never by an address. */
export interface PasskeySite {
  readonly host: string
  /** Whether a page of that origin may use them. */
  isOurs(origin: string): boolean
}

/**
 * The host of `PUBLIC_URL`; never that of a request. Without `PUBLIC_URL` the console is used on the
 * own machine: as `localhost`, on any port. Undefined where no browser has passkeys: without TLS, or
 * under an address without a name.
 */
export function passkeySiteOf(publicUrl: string | undefined): PasskeySite | undefined {
  if (publicUrl === undefined) return { host: LOCAL, isOurs: isLocal }
  const { hostname: host, origin, protocol } = new URL(publicUrl)
  const isSecure = protocol === 'https:' || host === LOCAL
  if (!isSecure || ipaddr.isValid(host.replaceAll(/[[\]]/g, ''))) return undefined
  return { host, isOurs: (one) => one === origin }
}

const LOCAL = 'localhost'

const isLocal = (origin: string) => /^http:\/\/localhost(:\d{1,5})?$/.test(origin)
