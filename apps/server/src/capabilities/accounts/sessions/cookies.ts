import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface CookieSettings {
  /** A demo may be opened from another machine without TLS, so its cookies go there too. */
  readonly isDemo: boolean
}

/** Only these routes get the refresh token: it does not travel with every request. */
const PATH = '/api/v1/auth'

type Kind = 'refresh' | 'device'

/**
 * Browsers share cookies across the ports of a host. The port in the name keeps two Placards apart.
 */
const nameOf = ({ port }: FastifyRequest, kind: Kind) => `placard_${kind}${port ? `_${port}` : ''}`

const cookieIn = (request: FastifyRequest, kind: Kind) =>
  parseCookie(request.headers.cookie ?? '')[nameOf(request, kind)]

export const deviceTokenIn = (request: FastifyRequest) => cookieIn(request, 'device')

/**
 * The refresh token in the cookie. Undefined if a page of another origin made the browser send it.
 */
export function refreshTokenIn(request: FastifyRequest): string | undefined {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return undefined
  return cookieIn(request, 'refresh')
}

export interface KeptToken {
  readonly token: string
  readonly seconds: number
}

/** Sets or clears a cookie. */
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

/**
 * Browsers trust their own machine without TLS. Anywhere else only a demo's cookie is sent in the
 * clear.
 */
function isSecure({ protocol, hostname }: FastifyRequest, { isDemo }: CookieSettings): boolean {
  return !isDemo || protocol === 'https' || LOOPBACK.test(hostname)
}

const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/
