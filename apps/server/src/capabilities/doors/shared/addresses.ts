/** How a request reached this node. `protocol` and `host` respect trusted proxies. */
export interface Addressed {
  readonly protocol: string
  readonly host: string
}

/**
 * Scheme and host under which a client reaches Placard: the public URL if set, else the one the
 * client used.
 */
export const addressOf = ({ protocol, host }: Addressed, publicUrl: string | undefined): string =>
  publicUrl ?? `${protocol}://${host}`

/** We store our assets as paths. Outside our pages they need scheme and host. */
export const wholeUrl = (address: string, url: string): string =>
  url.startsWith('/') && !url.startsWith('//') ? address + url : url
