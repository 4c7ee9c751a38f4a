/** How a request reached this node; `protocol` and `host` mind trusted proxies. */
export interface Addressed {
  readonly protocol: string
  readonly host: string
}

/** Under which address a client reaches Placard: the public one, else the one it used. */
export const addressOf = ({ protocol, host }: Addressed, publicUrl: string | undefined): string =>
  publicUrl ?? `${protocol}://${host}`

/** Assets of ours are stored as paths; outside a page of ours they need scheme and host. */
export const wholeUrl = (address: string, url: string): string =>
  url.startsWith('/') && !url.startsWith('//') ? address + url : url
