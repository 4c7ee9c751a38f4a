import type { FastifyBaseLogger } from 'fastify'
import * as oidc from 'openid-client'
import { Problem } from '../../../platform/problem.ts'
import type { SessionDeps } from '../sessions/open-session.ts'
import type { LinkSettings } from '../links/links.ts'
import { type Claims, type ExternalPerson, isIncomplete, readPerson } from './claims.ts'
import { type Flow, type FlowDeps, newFlow, openFlow, sealFlow } from './flow.ts'
import { oidcProblems } from './problems.ts'
import { type Providers, unreachable } from './providers.ts'
import { findUsableProvider, listUsableProviders, type ProviderRow } from './store.ts'

export interface OidcDeps extends SessionDeps, FlowDeps {
  readonly log: FastifyBaseLogger
  readonly providers: Providers
  readonly linkSettings: LinkSettings
}

/** Identity providers on the sign-in page: none before people can come back from them. */
export const listChoices = async ({ db, linkSettings }: Pick<OidcDeps, 'db' | 'linkSettings'>) =>
  linkSettings.publicUrl === undefined ? [] : listUsableProviders(db)

type For = Pick<Flow, 'slug' | 'connectedBy'>

/** Where the browser goes, and what it keeps for the way back. */
export async function beginAtProvider(deps: OidcDeps, of: For) {
  const provider = await usableProvider(deps, of.slug)
  const config = await deps.providers.discover(provider)
  const flow = newFlow(deps, of)
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectAddress(deps, of.slug),
    scope: ['openid', 'email', 'profile', ...provider.scopes].join(' '),
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    ...(provider.factorAcr.length > 0 && { acr_values: provider.factorAcr.join(' ') }),
  })
  return {
    address: address.href,
    flow: await sealFlow(deps, flow),
    expiresAt: new Date(flow.expiresAtMs).toISOString(),
  }
}

/** What the browser came back with. */
export interface Return extends For {
  /** Sealed. */
  readonly flow: string
  /** The query of the address it came back to. */
  readonly answer: string
}

export interface ProvenAtProvider {
  readonly provider: ProviderRow
  readonly person: ExternalPerson
}

/** Who has proven their identity at the provider. An answer counts once. */
export async function proveAtProvider(deps: OidcDeps, back: Return): Promise<ProvenAtProvider> {
  const provider = await usableProvider(deps, back.slug)
  const flow = await openFlow(deps, back.flow, back)
  if (!flow || !(await deps.limits.isFirst(`flow ${flow.state}`))) {
    throw new Problem(oidcProblems.flowRefused, 'Begin again on the sign-in page.')
  }
  const config = await deps.providers.discover(provider)
  const address = new URL(redirectAddress(deps, back.slug))
  address.search = back.answer
  const claims = await exchange(config, { address, flow, provider }).catch((error: unknown) => {
    throw problemOf(deps, provider, error)
  })
  const person = readPerson(claims, provider)
  if (!person) {
    const detail = `Ask the people who run ${provider.name} to share your address with Placard.`
    throw new Problem(oidcProblems.emailMissing, detail)
  }
  return { provider, person }
}

interface Exchange {
  readonly address: URL
  readonly flow: Flow
  readonly provider: ProviderRow
}

/** The library compares state, issuer, audience, times, nonce, signature and the PKCE verifier. */
async function exchange(
  config: oidc.Configuration,
  { address, flow, provider }: Exchange,
): Promise<Claims> {
  const tokens = await oidc.authorizationCodeGrant(config, address, {
    pkceCodeVerifier: flow.verifier,
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()!
  const hasMore = config.serverMetadata().userinfo_endpoint !== undefined
  if (!hasMore || !isIncomplete(claims, provider)) return claims
  return { ...(await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims }
}

function problemOf({ log }: OidcDeps, provider: ProviderRow, error: unknown): Problem {
  if (error instanceof oidc.AuthorizationResponseError) {
    const detail = `Try again, and agree to share your name and e-mail address with Placard.`
    return new Problem(oidcProblems.providerDeclined, detail)
  }
  const isUsedUp = error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant'
  if (!isUsedUp && !(error instanceof oidc.ClientError && !OURS.has(error.code ?? ''))) {
    return unreachable(log, provider, error)
  }
  log.warn({ err: error, identityProvider: provider.slug }, 'an answer proves nothing')
  return new Problem(oidcProblems.answerRefused, 'Begin again on the sign-in page.')
}

/** Codes of the library for a provider that did not answer, or not as the standard says. */
const OURS: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])

async function usableProvider({ db }: OidcDeps, slug: string): Promise<ProviderRow> {
  const provider = await findUsableProvider(db, slug)
  if (provider) return provider
  throw new Problem(oidcProblems.providerNotFound, 'Choose another way to sign in.')
}

/** An address of its own for each provider, so that none can pass on the answer of another. */
export function redirectAddress({ linkSettings }: Pick<OidcDeps, 'linkSettings'>, slug: string) {
  if (linkSettings.publicUrl === undefined) {
    throw new Problem(oidcProblems.publicUrlNotSet, 'Ask the operator to set PUBLIC_URL.')
  }
  return `${linkSettings.publicUrl}/sign-in/${slug}`
}
