import proxyAddr from '@fastify/proxy-addr'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'

/** Whether an address belongs to a proxy whose word about its own caller is believed. */
export type Trust = (address: string, hop: number) => boolean

const ADDRESSES_KEPT = 1_000

/** Proxies are few and come again with each request: what was found of one is kept. */
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

/** Where a request comes from and what it was addressed to, as the framework finds it too. */
export interface Way {
  readonly ip: string
  readonly protocol: string
  readonly host: string
}

/** Of the requests of one connection: who is near stays the same. */
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

/** Of one address alone that a trusted proxy names, nothing is to be found out: it is the last there is. */
const ALONE = /^[\da-f.:]+$/i

function callerOf(headers: IncomingHttpHeaders, socket: Socket, trust: Trust): string {
  const forwarded = headers['x-forwarded-for']
  if (typeof forwarded === 'string' && ALONE.test(forwarded)) return forwarded
  return proxyAddr({ headers, socket } as IncomingMessage, trust) ?? ''
}

const lastOf = (header: string | string[] | undefined) =>
  typeof header === 'string' ? header.slice(header.lastIndexOf(',') + 1).trim() : undefined
