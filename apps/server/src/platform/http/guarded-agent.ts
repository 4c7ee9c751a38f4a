import { lookup } from 'node:dns'
import { Agent } from 'undici'
import {
  AddressRefused,
  guardedLookup,
  isAddress,
  isPublicAddress,
  type Resolve,
} from './guarded-lookup.ts'

export interface GuardedAgentOptions {
  /** Hosts that may be called although they are ours, or in the clear. */
  readonly allowedHosts: readonly string[]
  /** Where the operator lists them. */
  readonly setting: string
  readonly timeoutMs: number
  readonly connectionsPerHost: number
  /** Longest answer; default: any. */
  readonly bytesMax?: number
  readonly resolve?: Resolve | undefined
}

/** Calls hosts on the internet, and those of our own network that the operator lists. */
export interface GuardedAgent {
  readonly agent: Agent
  /** Throws, in words for the operator, if the address may not be called. */
  refuse(url: string): void
}

const CONNECT_MS = 5_000

const resolveAll: Resolve = (host, answer) => lookup(host, { all: true, verbatim: true }, answer)

export function guardedAgent(options: GuardedAgentOptions): GuardedAgent {
  const { timeoutMs, connectionsPerHost, bytesMax, resolve = resolveAll } = options
  const isListed = isIn(options.allowedHosts)
  const agent = new Agent({
    connect: { lookup: guardedLookup({ resolve, isListed }), timeout: CONNECT_MS },
    connections: connectionsPerHost,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    ...(bytesMax !== undefined && { maxResponseSize: bytesMax }),
  })
  return {
    agent,
    refuse(url) {
      const verdict = judgeUrl(url, isListed)
      if (verdict === 'http-refused') {
        throw new Error(`The address is not https. To call it, list its host in ${options.setting}`)
      }
      if (verdict === 'credentials-refused') {
        throw new Error('The address contains a user name or password')
      }
      const { hostname } = new URL(url)
      // A host that is an address is never looked up.
      if (isAddress(hostname) && !isListed(hostname) && !isPublicAddress(hostname)) {
        throw new AddressRefused(hostname)
      }
    },
  }
}

export type CallVerdict = 'may-call' | 'http-refused' | 'credentials-refused'

/** Plain http is only for hosts that the operator lists: for trials and internal networks. */
export function judgeUrl(text: string, isListed: (host: string) => boolean): CallVerdict {
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'credentials-refused'
  if (url.protocol === 'https:' || isListed(url.hostname)) return 'may-call'
  return 'http-refused'
}

function isIn(hosts: readonly string[]): (host: string) => boolean {
  const listed = new Set(hosts.map((host) => host.toLowerCase()))
  return (host) => listed.has(host.toLowerCase())
}

/** Hosts of a setting, separated by commas. */
export const hostsIn = (setting: string): string[] => setting.split(/[\s,]+/).filter(Boolean)
