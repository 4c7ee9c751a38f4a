import { Problem } from '../../../platform/problem.ts'
import {
  type Actor,
  createRow,
  getRow,
  type ResourceDeps,
  reviseRow,
  type Target,
  type Values,
} from '../../../platform/resources/index.ts'
import { httpProblems } from '../../../platform/http/problems.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'
import { mayHoldRole, type AccountKind } from '../access/access.ts'
import type { LinkSettings } from '../links/links.ts'
import { account } from '../resources.ts'
import type { AccessRule } from './admission.ts'
import { redirectAddress } from './at-provider.ts'
import type { Providers } from './providers.ts'
import { identityProvider } from './resources.ts'
import type { ProviderRow } from './store.ts'

export interface ProviderDeps extends ResourceDeps {
  readonly providers: Providers
  /** Seals the secrets of clients. */
  readonly clientSecretBox: SecretBox
  readonly linkSettings: LinkSettings
}

interface NewProvider extends Values {
  readonly issuer: string
  readonly clientSecret: string
  readonly rules?: readonly AccessRule[]
}

export async function createProvider(
  deps: ProviderDeps,
  { body, actor }: { readonly body: NewProvider; readonly actor: Actor },
): Promise<Values> {
  const { clientSecret, ...fields } = body
  deps.providers.refuseIssuer(body.issuer)
  await refuseRules(deps, body.rules ?? [], actor)
  const extra = { sealedClientSecret: await deps.clientSecretBox.seal(clientSecret) }
  return createRow(deps, identityProvider, { body: fields, actor, extra })
}

interface ChangedProvider extends Values {
  readonly clientSecret?: string
  readonly rules?: readonly AccessRule[]
}

/** Slug and issuer stay: sessions and identities name the provider by them. */
export async function changeProvider(
  deps: ProviderDeps,
  { body, ...target }: Target & { readonly body: ChangedProvider },
): Promise<Values> {
  const { clientSecret, ...fields } = body
  await refuseRules(deps, body.rules ?? [], target.actor)
  const sealed =
    clientSecret === undefined
      ? {}
      : { sealedClientSecret: await deps.clientSecretBox.seal(clientSecret) }
  return reviseRow(deps, identityProvider, {
    ...target,
    action: 'update',
    revise: () => ({ ...fields, ...sealed }),
  })
}

/** Every rule names an account that is there, and a role that its users may have. */
async function refuseRules(
  { db }: ResourceDeps,
  rules: readonly AccessRule[],
  actor: Actor,
): Promise<void> {
  const faults = []
  for (const [at, { accountId, role }] of rules.entries()) {
    const owner = await getRow(db, account, { publicId: accountId, actor }).catch(missing)
    const path = `body/rules/${at}`
    if (!owner || owner.deletedAt) {
      faults.push({ path: `${path}/accountId`, message: 'names no account' })
    } else if (!mayHoldRole(owner.kind as AccountKind, role)) {
      faults.push({
        path: `${path}/role`,
        message: `is no role in a ${String(owner.kind)} account`,
      })
    }
  }
  if (faults.length === 0) return
  throw new Problem(httpProblems.invalidRequest, 'No rule was saved.', faults)
}

function missing(error: unknown): undefined {
  if (error instanceof Problem) return undefined
  throw error
}

/** Asks the provider now. Throws a Problem if it does not answer as it should. */
export async function checkProvider(deps: ProviderDeps, target: Target) {
  const provider = (await getRow(deps.db, identityProvider, target)) as Values & ProviderRow
  const config = await deps.providers.discover(provider, 'again')
  const { end_session_endpoint: signOut } = config.serverMetadata()
  const { publicUrl } = deps.linkSettings
  return {
    redirectAddress: publicUrl === undefined ? null : redirectAddress(deps, provider.slug),
    signOutAddress:
      publicUrl === undefined || signOut === undefined ? null : afterSignOut(publicUrl),
  }
}

/** Where a browser comes back to after its session at the provider has ended. */
export const afterSignOut = (publicUrl: string): string => `${publicUrl}/sign-in`
