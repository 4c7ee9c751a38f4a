import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import * as oidc from 'openid-client'
import { fetch } from 'undici'
import { type GuardedAgent, guardedAgent, hostsIn } from '../../../platform/http/guarded-agent.ts'
import { Problem } from '../../../platform/problem.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'
import { oidcProblems } from './problems.ts'
import type { ProviderRow } from './store.ts'

/** The identity providers over the network. */
export interface Providers {
  /** What the provider says of itself, asked at most once an hour. Throws a Problem if it does not answer. */
  discover(provider: ProviderRow, isAsked?: 'again'): Promise<oidc.Configuration>
  /** Throws a Problem if the operator's settings do not allow to call the issuer. */
  refuseIssuer(issuer: string): void
  close(): Promise<void>
}

export interface ProvidersDeps {
  readonly log: FastifyBaseLogger
  /** Opens the secrets of clients. */
  readonly secretBox: SecretBox
  /** Of the setting `OIDC_ALLOWED_HOSTS`. */
  readonly allowedHosts: string
}

const TIMEOUT_SECONDS = 10
const CONNECTIONS_PER_HOST = 8
const ANSWER_BYTES_MAX = 1_000_000
const KNOWN = { max: 100, ttl: 3_600_000 }

export function createProviders({ log, secretBox, allowedHosts }: ProvidersDeps): Providers {
  const guarded = guardedAgent({
    allowedHosts: hostsIn(allowedHosts),
    setting: 'OIDC_ALLOWED_HOSTS',
    timeoutMs: TIMEOUT_SECONDS * 1_000,
    connectionsPerHost: CONNECTIONS_PER_HOST,
    bytesMax: ANSWER_BYTES_MAX,
  })
  const known = new LRUCache<string, Promise<oidc.Configuration>>(KNOWN)

  const ask = async (provider: ProviderRow) => {
    try {
      const secret = await secretBox.open(provider.sealedClientSecret)
      return await discover(provider, { secret, guarded })
    } catch (error) {
      throw unreachable(log, provider, error)
    }
  }
  return {
    discover(provider, isAsked) {
      // A change of the provider is another version, so that no old secret is used.
      const key = `${provider.id} ${provider.version}`
      const asked = isAsked === 'again' ? undefined : known.get(key)
      if (asked) return asked
      const asking = ask(provider)
      known.set(key, asking)
      asking.catch(() => known.delete(key))
      return asking
    },
    refuseIssuer(issuer) {
      const { search, hash, pathname } = new URL(issuer)
      if (search || hash || pathname.includes('/.well-known/')) {
        throw new Problem(oidcProblems.issuerRefused, 'Leave out what follows the issuer.')
      }
      try {
        guarded.refuse(issuer)
      } catch (error) {
        throw new Problem(oidcProblems.issuerRefused, `${(error as Error).message}.`)
      }
    },
    close: () => guarded.agent.destroy(),
  }
}

/** Logged for the operator; the person in front of the sign-in page is told what to do. */
export function unreachable(
  log: FastifyBaseLogger,
  { slug }: Pick<ProviderRow, 'slug'>,
  error: unknown,
): Problem {
  log.warn({ err: error, identityProvider: slug }, 'the identity provider does not answer')
  return new Problem(
    oidcProblems.providerUnreachable,
    'Try again in a minute, or tell the operator.',
  )
}

interface Asking {
  readonly secret: string
  readonly guarded: GuardedAgent
}

async function discover(
  { issuer, clientId }: ProviderRow,
  { secret, guarded }: Asking,
): Promise<oidc.Configuration> {
  guarded.refuse(issuer)
  const isClear = issuer.startsWith('http:')
  const found = await oidc.discovery(new URL(issuer), clientId, secret, undefined, {
    timeout: TIMEOUT_SECONDS,
    [oidc.customFetch]: fetchBy(guarded),
    execute: [oidc.enableNonRepudiationChecks, ...(isClear ? [oidc.allowInsecureRequests] : [])],
  })
  const metadata = found.serverMetadata()
  // The library lets Entra ID name any tenant: then everybody with a Microsoft account could come.
  if (new URL(metadata.issuer).href !== new URL(issuer).href) {
    throw new Error(`it calls itself ${metadata.issuer}, not ${issuer}`)
  }
  for (const address of [metadata.authorization_endpoint, metadata.end_session_endpoint]) {
    if (address !== undefined) refusePage(address, isClear)
  }
  return found
}

/** Where we send a browser; it is not called by us. */
function refusePage(address: string, isClear: boolean): void {
  const { protocol } = new URL(address)
  if (protocol === 'https:' || (isClear && protocol === 'http:')) return
  throw new Error(`it sends people to ${address}`)
}

const fetchBy =
  ({ agent, refuse }: GuardedAgent): oidc.CustomFetch =>
  async (url, { body, ...options }) => {
    refuse(url)
    const answer = await fetch(url, {
      ...options,
      ...(body !== undefined && body !== null && { body: textOf(body) }),
      dispatcher: agent,
    })
    const bytes = await answer.arrayBuffer()
    return new Response(bytes.byteLength > 0 ? bytes : null, {
      status: answer.status,
      headers: [...answer.headers],
    })
  }

function textOf(body: oidc.FetchBody): string {
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('this kind of body is not sent to identity providers')
}
