import { eq } from 'drizzle-orm'
import { externalIdentities, identityProviders } from '../../capabilities/accounts/oidc/tables.ts'
import { accounts, users } from '../../capabilities/accounts/tables.ts'
import type { AtEnd } from '../services/database.ts'
import { startIdentityProvider, type TestIdentityProvider } from '../services/identity-provider.ts'
import type { TestServer } from '../server.ts'
import { type Caller, operationNamed } from './caller.ts'
import { type Known, knownId } from './openapi.ts'
import type { Person } from './people.ts'

const SLUG = 'walked'

interface Walked extends Caller, Pick<TestServer, 'deps'> {
  readonly provider: TestIdentityProvider
}

interface Coming extends Pick<TestServer, 'deps'> {
  readonly people: readonly Person[]
  readonly publicUrl: string
  readonly atEnd: AtEnd
}

/**
 * Starts an identity provider where everybody has an account, with the group of their role, and enters
 * it in Placard. Returns people who have just come back from it.
 */
export async function withProvider(
  caller: Caller,
  { people, deps, publicUrl, atEnd }: Coming,
): Promise<readonly Person[]> {
  const redirectUris = [`${publicUrl}/sign-in/${SLUG}`]
  const provider = await startIdentityProvider({ redirectUris, atEnd })
  const walked = { ...caller, deps, provider }
  const members = people.filter(({ own }) => 'sessionId' in own)
  const operator = members.find(({ name }) => name === 'operator')!
  const made = await walked.call(operator, operationNamed(walked, 'createIdentityProvider'), {
    slug: SLUG,
    issuer: provider.issuer,
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    emailDomains: ['test.example'],
    scopes: ['groups'],
    linksUsers: true,
    groupsClaim: 'groups',
    emailVerifiedClaim: 'email_verified',
    rules: await Promise.all(members.map((member) => ruleFor(walked, member))),
  })
  if (made.statusCode !== 201) throw new Error(`no identity provider: ${made.body}`)
  const identityProviderId = made.json<{ id: string }>().id
  const entered: Known = { identityProviderId, providerSlug: SLUG }
  const back = []
  for (const person of people) {
    const own = members.includes(person) ? await ownAtProvider(walked, person) : {}
    back.push({
      ...person,
      known: { ...person.known, ...entered },
      own: { ...person.own, ...own },
    })
  }
  return back
}

/** What the person would send to sign in, to connect the identity, and to disconnect another one. */
async function ownAtProvider(walked: Walked, person: Person): Promise<Known> {
  const email = knownId(person.own, 'email')!
  walked.provider.people.set(person.name, { email, emailVerified: true, groups: [person.name] })
  const answerTo = async (operation: string) => {
    const begun = await walked.call(person, operationNamed(walked, operation), {
      providerSlug: SLUG,
      ...person.own,
    })
    if (begun.statusCode !== 200) throw new Error(`no ${operation}: ${begun.body}`)
    const { address, flow } = begun.json<{ address: string; flow: string }>()
    return { flow, answer: await walked.provider.signIn(address, person.name) }
  }
  const [comes, connects] = [await answerTo('beginAtProvider'), await answerTo('beginToConnect')]
  return {
    'finishAtProvider.flow': comes.flow,
    'finishAtProvider.answer': comes.answer,
    'connectMyExternalIdentity.flow': connects.flow,
    'connectMyExternalIdentity.answer': connects.answer,
    externalIdentityId: await addIdentity(walked, email),
  }
}

/** The person's group gives the role and the account that they have. */
async function ruleFor({ deps: { db } }: Walked, { name, own }: Person) {
  const [found] = await db
    .select({ accountId: accounts.publicId })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(users.email, knownId(own, 'email')!))
  return { group: name, accountId: found!.accountId, role: name }
}

async function addIdentity({ deps }: Walked, email: string): Promise<string> {
  const { db, ids, clock } = deps
  const [owner] = await db.select().from(users).where(eq(users.email, email))
  const [provider] = await db.select().from(identityProviders)
  const identity = {
    publicId: ids.next(),
    userId: owner!.id,
    identityProviderId: provider!.id,
    issuer: 'https://former.example',
    subject: email,
    email,
    createdAt: clock.now(),
  }
  await db.insert(externalIdentities).values(identity)
  return identity.publicId
}
