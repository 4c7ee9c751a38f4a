import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface CookieSettings {
  /** A demo may be looked at from another machine without TLS: its cookies go there too. */
  readonly isDemo: boolean
}

/** Only these routes see the refresh token: it does not travel with every request. */
const PATH = '/api/v1/auth'

type Kind = 'refresh' | 'device'

/** Browsers share cookies between the ports of a host: two Placards side by side keep theirs apart. */
const nameOf = ({ port }: FastifyRequest, kind: Kind) => `placard_${kind}${port ? `_${port}` : ''}`

const cookieIn = (request: FastifyRequest, kind: Kind) =>
  parseCookie(request.headers.cookie ?? '')[nameOf(request, kind)]

export const deviceTokenIn = (request: FastifyRequest) => cookieIn(request, 'device')

/** The refresh token that the browser keeps; undefined if a page of another origin makes it send it. */
export function refreshTokenIn(request: FastifyRequest): string | undefined {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return undefined
  return cookieIn(request, 'refresh')
}

export interface KeptToken {
  readonly token: string
  readonly seconds: number
}

/** Hands a token to the browser, or takes it back. */
export function keepCookie(
  reply: FastifyReply,
  settings: CookieSettings,
  { kind, kept }: { readonly kind: Kind; readonly kept: KeptToken | undefined },
): void {
  void reply.header(
    'set-cookie',
    stringifySetCookie({
      name: nameOf(reply.request, kind),
      value: kept?.token ?? '',
      path: PATH,
      httpOnly: true,
      secure: isSecure(reply.request, settings),
      sameSite: 'strict',
      maxAge: kept?.seconds ?? 0,
    }),
  )
}

/** Browsers trust their own machine without TLS; elsewhere a cookie in the clear is for demos only. */
function isSecure({ protocol, hostname }: FastifyRequest, { isDemo }: CookieSettings): boolean {
  return !isDemo || protocol === 'https' || LOOPBACK.test(hostname)
}

const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/
