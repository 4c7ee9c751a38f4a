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

/** The reader's address, as the framework finds it too. */
export const addressBehind =
  (trust: Trust | undefined) =>
  (headers: IncomingHttpHeaders, socket: Socket): string =>
    trust === undefined
      ? (socket.remoteAddress ?? '')
      : (proxyAddr({ headers, socket } as IncomingMessage, trust) ?? '')
