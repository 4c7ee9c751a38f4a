import {
  type Someone,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../apps/server/src/testing/services/identity-provider.ts'
import type { Attack } from './attacks.ts'
import type { Answer, Asked, Send, Target } from './target.ts'

/** An identity provider of the attack's own that the server under attack calls. */
export interface Company {
  readonly provider: TestIdentityProvider
  readonly slug: string
  readonly domain: string
}

interface Entering extends Asked {
  readonly accountId: string
  readonly atEnd: (tidyUp: () => Promise<void>) => void
}

/** Undefined if the server says under no address where it is, or does not call this machine. */
export async function enterCompany(send: Send, entering: Entering): Promise<Company | undefined> {
  const { operator: as, name: slug, accountId, atEnd } = entering
  const publicUrl = await publicUrlOf(send, entering)
  if (publicUrl === undefined) return undefined
  const redirectUris = [`${publicUrl}/sign-in/${slug}`]
  const provider = await startIdentityProvider({ redirectUris, atEnd })
  const domain = `${slug}.example`
  const body = {
    slug,
    name: slug,
    issuer: provider.issuer,
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    scopes: ['groups'],
    emailDomains: [domain],
    rules: [{ group: 'buyers', accountId, role: 'advertiser' }],
  }
  const made = await send('POST', '/api/v1/admin/identity-providers', { as, body })
  return made.status === 201 ? { provider, slug, domain } : undefined
}

async function publicUrlOf(send: Send, { operator: as }: Asked): Promise<string | undefined> {
  const { body } = await send('GET', '/api/v1/admin/settings', { as })
  const items = body['items'] as readonly { name: string; value: string | null }[]
  return items.find(({ name }) => name === 'PUBLIC_URL')?.value?.replace(/\/+$/, '')
}

const refused = ({ status }: Answer) => status >= 400 && status < 500

/** What strangers and people of a company try at the sign-in, without a provider that works. */
export const WITHOUT_PROVIDER: readonly Attack[] = [
  ...['http://169.254.169.254', 'https://10.0.0.1', 'http://login.example'].map((issuer) => ({
    name: `an identity provider at ${issuer}`,
    run: ({ send, operator, ids }: Target) =>
      send('POST', '/api/v1/admin/identity-providers', {
        as: operator,
        body: {
          slug: `${ids.placementSlug}-x`,
          name: 'X',
          issuer,
          clientId: 'x',
          clientSecret: 'x',
          emailDomains: ['x.example'],
        },
      }),
    holds: refused,
  })),
  {
    name: 'a buyer enters an identity provider',
    run: ({ send, buyer }) =>
      send('POST', '/api/v1/admin/identity-providers', { as: buyer, body: {} }),
    holds: ({ status }) => status === 403,
  },
  {
    name: 'a sign-in at an identity provider that nobody began',
    run: ({ send }) =>
      send('POST', '/api/v1/auth/identity-providers/company/finish', {
        body: { flow: 'e30.e30.e30.e30.e30.e30', answer: 'code=a&state=b' },
      }),
    holds: refused,
  },
]

interface Visit {
  readonly flow: string
  readonly answer: string
}

interface Visiting {
  /** What the provider says of the person; else somebody whom the rules admit. */
  readonly someone?: Someone
  /** Changes the address on the way to the provider. */
  readonly twist?: (address: URL) => void
}

function visitorsOf({ provider, slug, domain }: Company) {
  const path = `/api/v1/auth/identity-providers/${slug}`
  return {
    async visit({ send }: Target, { someone, twist }: Visiting = {}): Promise<Visit> {
      const subject = `subject-${provider.people.size}`
      const email = `${subject}@${domain}`
      provider.people.set(subject, { email, emailVerified: true, groups: ['buyers'], ...someone })
      const { body } = await send('POST', `${path}/begin`)
      const address = new URL(String(body['address']))
      twist?.(address)
      return { flow: String(body['flow']), answer: await provider.signIn(address.href, subject) }
    },
    finish: ({ send }: Target, body: Visit) => send('POST', `${path}/finish`, { body }),
  }
}

const takeOtherNonce = (address: URL) => address.searchParams.set('nonce', 'of-somebody-else')

const withParameter = (query: string, name: string, value: string) => {
  const parameters = new URLSearchParams(query)
  parameters.set(name, value)
  return parameters.toString()
}

/** Mix-ups on the way back from a provider, and people whom its rules do not admit. */
export function atProvider(company: Company): readonly Attack[] {
  const { visit, finish } = visitorsOf(company)
  const arriving = (name: string, someoneFor: (target: Target) => Someone): Attack => ({
    name: `${name}, by an identity provider`,
    run: async (target) => finish(target, await visit(target, { someone: someoneFor(target) })),
    holds: refused,
  })
  return [
    {
      name: 'somebody whom the rules admit comes in: the attacks below try something',
      run: async (target) => finish(target, await visit(target)),
      holds: ({ status }) => status === 200,
    },
    {
      name: 'another state',
      async run(target) {
        const { flow, answer } = await visit(target)
        return finish(target, { flow, answer: withParameter(answer, 'state', 'x'.repeat(43)) })
      },
      holds: refused,
    },
    {
      name: 'another nonce',
      async run(target) {
        return finish(target, await visit(target, { twist: takeOtherNonce }))
      },
      holds: refused,
    },
    {
      name: 'another issuer in the answer',
      async run(target) {
        const { flow, answer } = await visit(target)
        return finish(target, { flow, answer: withParameter(answer, 'iss', 'https://x.example') })
      },
      holds: refused,
    },
    {
      name: 'a code that somebody else was given',
      async run(target) {
        const [mine, theirs] = [await visit(target), await visit(target)]
        const code = String(new URLSearchParams(theirs.answer).get('code'))
        return finish(target, { ...mine, answer: withParameter(mine.answer, 'code', code) })
      },
      holds: refused,
    },
    {
      name: 'the answer of a provider twice',
      async run(target) {
        const back = await visit(target)
        await finish(target, back)
        return finish(target, back)
      },
      holds: refused,
    },
    arriving('an address that is not verified', () => ({ emailVerified: false })),
    arriving('an address of a foreign domain', () => ({ email: 'eve@rival.example' })),
    arriving('nobody of a group', () => ({ groups: [] })),
    arriving('the address of a user with a password', ({ victim }) => ({ email: victim.email })),
  ]
}
