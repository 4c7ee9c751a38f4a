import type { BegunAtProvider } from '@placard/contract/identity-providers'
import type { Static } from 'typebox'
import { api } from './client.ts'
import { type FactorNeeded, session } from './session.ts'

/** A visit to an identity provider, from which the browser comes back to this tab. */
export interface Visit {
  readonly slug: string
  /** What it began with, sealed by the server. */
  readonly flow: string
  /** `connect`: the person is signed in, and connects the identity. */
  readonly why: 'sign-in' | 'connect'
  /** The page that comes afterwards. */
  readonly next: string
}

type Begun = Static<typeof BegunAtProvider>

/** Kept by this tab only: another one has visits of its own. */
const VISIT = 'placard.visit'

/** Leaves the console for the provider. */
export async function visitProvider(visit: Omit<Visit, 'flow'>): Promise<void> {
  const { slug, why } = visit
  const { address, flow } =
    why === 'connect'
      ? await api.post<Begun>('/me/external-identities/begin', { providerSlug: slug })
      : await api.post<Begun>(`/auth/identity-providers/${slug}/begin`)
  sessionStorage.setItem(VISIT, JSON.stringify({ ...visit, flow }))
  location.assign(address)
}

/** The visit that this tab comes back from. */
export function visitAt(slug: string): Visit | undefined {
  try {
    const visit = JSON.parse(sessionStorage.getItem(VISIT) ?? '') as Visit
    return visit.slug === slug ? visit : undefined
  } catch {
    return undefined
  }
}

/**
 * Takes the answer of the provider to the server, which says why it proves nothing if this tab began
 * no visit. An answer works once, so the visit is over.
 */
export async function finishVisit(
  slug: string,
  visit: Visit | undefined,
  answer: string,
): Promise<FactorNeeded | 'done'> {
  sessionStorage.removeItem(VISIT)
  const flow = visit?.flow ?? NO_FLOW
  if (visit?.why !== 'connect') return (await session.comeBack(slug, { flow, answer })) ?? 'done'
  await api.post('/me/external-identities', { providerSlug: slug, flow, answer })
  return 'done'
}

const NO_FLOW = 'begun-in-no-tab-of-this-browser'
