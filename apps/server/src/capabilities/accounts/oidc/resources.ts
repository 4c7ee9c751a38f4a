import * as contract from '@placard/contract/identity-providers'
import { defineResource } from '../../../platform/resources/index.ts'
import { revokeSessionsFrom } from './store.ts'
import { oidcProblems } from './problems.ts'
import { identityProviders } from './tables.ts'

/** `operations.ts` asks the rules that need more than the row: the secret, the issuer and the accounts. */
export const identityProvider = defineResource({
  noun: 'identity provider',
  plural: 'identity providers',
  tag: 'users',
  permission: 'users',
  table: identityProviders,
  view: contract.IdentityProvider,
  create: contract.CreateIdentityProvider,
  patch: contract.PatchIdentityProvider,
  query: contract.IdentityProviderQuery,
  references: {},
  problems: {
    notFound: oidcProblems.providerNotFound,
    alreadyDeleted: oidcProblems.providerAlreadyDeleted,
    notDeleted: oidcProblems.providerNotDeleted,
  },
  uniques: { identity_providers_slug_key: oidcProblems.slugExists },
  /** Whoever came through a provider that is switched off is signed out. */
  async afterChange(db, { after }, { clock }) {
    if (after.isActive && after.deletedAt === null) return
    await revokeSessionsFrom(db, { providerId: after.id, at: clock.now() })
  },
})
