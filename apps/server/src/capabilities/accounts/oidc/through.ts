import { HOUR_MS } from '@placard/calendar'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { findUsableProviderById, type ProviderRow } from './store.ts'

/** The identity provider that vouches for the user of a session. */
export interface Through {
  readonly identityProviderId: bigint
  readonly slug: string
  /** Then it has to vouch again. */
  readonly endsAt: Date
}

export const through = (
  { id, slug, sessionHours }: Pick<ProviderRow, 'id' | 'slug' | 'sessionHours'>,
  now: Date,
): Through => ({
  identityProviderId: id,
  slug,
  endsAt: new Date(now.getTime() + sessionHours * HOUR_MS),
})

/** The same for a sign-in that has waited. Undefined if the provider was switched off meanwhile. */
export async function throughSince(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  identityProviderId: bigint,
): Promise<Through | undefined> {
  const provider = await findUsableProviderById(db, identityProviderId)
  return provider && through(provider, clock.now())
}
