import * as oidc from 'openid-client'
import type { OidcDeps } from './at-provider.ts'
import { afterSignOut } from './operations.ts'
import { findProviderOfSession } from './store.ts'

/**
 * Where to end the session at the provider too. Undefined if the session here did not begin there, or
 * the provider ends none.
 */
export async function signOutAddressOf(
  { db, providers, linkSettings: { publicUrl } }: OidcDeps,
  sessionId: bigint,
): Promise<string | undefined> {
  const provider = await findProviderOfSession(db, sessionId)
  if (!provider || publicUrl === undefined) return undefined
  // Signing out here has succeeded, whatever the provider answers.
  const config = await providers.discover(provider).catch(() => undefined)
  if (config?.serverMetadata().end_session_endpoint === undefined) return undefined
  const back = { post_logout_redirect_uri: afterSignOut(publicUrl) }
  return oidc.buildEndSessionUrl(config, back).href
}
