import { lookup } from 'node:dns'
import { Agent, request } from 'undici'
import {
  AddressRefused,
  guardedLookup,
  isAddress,
  isPublicAddress,
  type Resolve,
} from './guarded-lookup.ts'

export interface Fetched {
  readonly status: number
  readonly url: string
  readonly contentType: string
  readonly etag: string | undefined
  readonly lastModified: string | undefined
  /** Bounded. Empty unless the status is 200. */
  readonly body: string
}

export interface Conditions {
  readonly etag?: string | null
  readonly lastModified?: string | null
}

/** Fetches public pages. Never an address of a private network, not even after a redirect. */
export interface Fetcher {
  /** Throws if the server cannot be reached, is not allowed or sends too much. */
  fetch(url: string, conditions?: Conditions): Promise<Fetched>
  close(): Promise<void>
}

export interface FetcherOptions {
  /** Private hosts that may be called: `127.0.0.1:8080`, or without a port for all ports. */
  readonly allowedHosts: readonly string[]
  readonly timeoutMs?: number
  readonly bytesMax?: number
  readonly resolve?: Resolve
}

export const USER_AGENT = 'PlacardBot'
const TIMEOUT_MS = 10_000
const BYTES_MAX = 2_000_000
const REDIRECTS_MAX = 5
const CONNECTIONS_PER_HOST = 2

const resolveAll: Resolve = (host, answer) => lookup(host, { all: true, verbatim: true }, answer)

export class FetchRefused extends Error {}

export function createFetcher(options: FetcherOptions): Fetcher {
  const { timeoutMs = TIMEOUT_MS, bytesMax = BYTES_MAX, resolve = resolveAll } = options
  const listed = new Set(options.allowedHosts.map((host) => host.toLowerCase()))
  const names = new Set([...listed].map((host) => host.replace(/:\d+$/, '')))
  const agent = new Agent({
    // The lookup belongs to the connection itself: the checked address is the one connected to.
    connect: {
      lookup: guardedLookup({ resolve, isListed: (host) => names.has(host.toLowerCase()) }),
      timeout: timeoutMs,
    },
    connections: CONNECTIONS_PER_HOST,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: bytesMax,
  })

  async function once(url: string, { etag, lastModified }: Conditions) {
    refuseOwn(url, listed)
    return request(url, {
      dispatcher: agent,
      headers: {
        'user-agent': `${USER_AGENT}/1.0`,
        'accept-encoding': 'identity',
        accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8',
        ...(etag && { 'if-none-match': etag }),
        ...(lastModified && { 'if-modified-since': lastModified }),
      },
      signal: AbortSignal.timeout(timeoutMs),
    })
  }

  return {
    async fetch(url, conditions = {}) {
      let at = url
      for (let redirect = 0; redirect <= REDIRECTS_MAX; redirect++) {
        const { statusCode, headers, body } = await once(at, conditions)
        const location = statusCode >= 300 && statusCode < 400 && textOf(headers['location'])
        if (!location) {
          const isWanted = statusCode === 200
          const content = isWanted ? await readBody(body, bytesMax) : ''
          if (!isWanted) await body.dump({ limit: bytesMax }).catch(() => {})
          return {
            status: statusCode,
            url: at,
            contentType: textOf(headers['content-type']) ?? '',
            etag: textOf(headers['etag']),
            lastModified: textOf(headers['last-modified']),
            body: content,
          }
        }
        await body.dump({ limit: bytesMax }).catch(() => {})
        const next = URL.parse(location, at)
        if (next === null) throw new FetchRefused('It leads to no address.')
        at = next.href
      }
      throw new FetchRefused('It leads on too often.')
    },
    close: () => agent.destroy(),
  }
}

/** A host that is an IP address is never looked up, so it is checked here. */
function refuseOwn(text: string, listed: ReadonlySet<string>): void {
  const { protocol, hostname, host, port } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new FetchRefused(`${protocol} is not read.`)
  const isListed = listed.has(host.toLowerCase()) || listed.has(hostname.toLowerCase())
  if (isListed) return
  if (port !== '') throw new FetchRefused(`Port ${port} is not read.`)
  if (isAddress(hostname) && !isPublicAddress(hostname)) throw new AddressRefused(hostname)
}

interface Body extends AsyncIterable<Uint8Array> {
  destroy(): unknown
}

async function readBody(body: Body, bytesMax: number): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > bytesMax) {
      body.destroy()
      throw new FetchRefused(`It is longer than ${bytesMax} bytes.`)
    }
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const textOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)
