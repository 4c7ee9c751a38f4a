import proxyAddr from '@fastify/proxy-addr'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'

/** True for a trusted proxy, whose `X-Forwarded-For` we believe. */
export type Trust = (address: string, hop: number) => boolean

const ADDRESSES_KEPT = 1_000

/** Results are cached: proxies are few and every request has them. */
export function trustIn(proxies: readonly string[]): Trust {
  const isTrusted = proxyAddr.compile([...proxies])
  const known = new LRUCache<string, boolean>({ max: ADDRESSES_KEPT })
  return (address, hop) => {
    let trusted = known.get(address)
    if (trusted === undefined) {
      trusted = isTrusted(address, hop)
      known.set(address, trusted)
    }
    return trusted
  }
}

/** The caller's address, host and protocol, as Fastify computes them. */
export interface Way {
  readonly ip: string
  readonly protocol: string
  readonly host: string
}

/** Computed per connection: the peer stays the same. */
export type WaysOf = (socket: Socket) => (headers: IncomingHttpHeaders) => Way

export const waysBehind =
  (trust: Trust | undefined): WaysOf =>
  (socket) => {
    const near = socket.remoteAddress ?? ''
    if (trust === undefined || !trust(near, 0)) {
      return ({ host = '' }) => ({ ip: near, protocol: 'http', host })
    }
    return (headers) => ({
      ip: callerOf(headers, socket, trust),
      protocol: lastOf(headers['x-forwarded-proto']) ?? 'http',
      host: lastOf(headers['x-forwarded-host']) ?? headers.host ?? '',
    })
  }

/** A trusted proxy that names a single address has nothing more to resolve. */
const ALONE = /^[\da-f.:]+$/i

function callerOf(headers: IncomingHttpHeaders, socket: Socket, trust: Trust): string {
  const forwarded = headers['x-forwarded-for']
  if (typeof forwarded === 'string' && ALONE.test(forwarded)) return forwarded
  return proxyAddr({ headers, socket } as IncomingMessage, trust) ?? ''
}

const lastOf = (header: string | string[] | undefined) =>
  typeof header === 'string' ? header.slice(header.lastIndexOf(',') + 1).trim() : undefined
