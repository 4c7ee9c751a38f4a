import { newLinkToken } from '../../capabilities/accounts/index.ts'
import { recipientLinks, recipients } from '../../capabilities/notices/tables.ts'
import { DAY_MS } from '@placard/calendar'
import { eq } from 'drizzle-orm'
import { hashSecret } from '../../capabilities/accounts/sessions/tokens.ts'
import { signInLinks, users } from '../../capabilities/accounts/tables.ts'
import { ROLE_PERMISSIONS, type Role } from '../../capabilities/accounts/index.ts'
import type { Known } from './openapi.ts'
import { addKey, addUser, PASSWORD, signInAs, type TestServer } from '../server.ts'
import { addAccount } from '../world.ts'

/** Somebody who calls. */
export interface Person {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  readonly permissions: ReadonlySet<string>
  /** What this person would name in a valid request. */
  readonly known: Known
  /** The same where a request is about the caller's own sign-in. */
  readonly own: Known
}

export interface People {
  readonly operator: Person
  readonly adOps: Person
  readonly trust: Person
  /** A machine with the scopes of the identity contract, which no person holds. */
  readonly service: Person
  readonly advertiser: Person
  readonly publisher: Person
  readonly otherAdvertiser: Person
  readonly otherPublisher: Person
}

/** People of every role, each signed in; the tenants each in an account of their own. */
export async function gatherPeople(server: Server): Promise<People> {
  return {
    operator: await person(server, 'operator'),
    adOps: await person(server, 'ad-ops'),
    trust: await person(server, 'trust'),
    service: await machine(server),
    advertiser: await person(server, 'advertiser'),
    publisher: await person(server, 'publisher'),
    otherAdvertiser: await person(server, 'advertiser', 'another advertiser'),
    otherPublisher: await person(server, 'publisher', 'another publisher'),
  }
}

type Server = Pick<TestServer, 'http' | 'deps'>

async function person(server: Server, role: Role, name: string = role): Promise<Person> {
  const { publicId, email, account } = await addUser(server.deps, role)
  const { headers, sessionId, refreshToken } = await signInAs(server, email)
  return {
    name,
    headers,
    permissions: new Set(ROLE_PERMISSIONS[role]),
    known: { accountId: account.publicId, userId: publicId, sessionId },
    own: {
      email,
      password: PASSWORD,
      currentPassword: PASSWORD,
      sessionId,
      refreshToken,
      'askForOwnEmail.email': `other-${email}`,
      'choosePassword.linkToken': await linkFor(server, { publicId, kind: 'password' }),
      'confirmRecipient.linkToken': await recipientLinkFor(server, account.id),
      'confirmEmail.linkToken': await linkFor(server, { publicId, kind: 'new-email' }),
    },
  }
}

/** A link as somebody gets it by mail; what is behind its `#`. */
async function linkFor(
  { deps: { db, clock, ids, random } }: Server,
  { publicId, kind }: { publicId: string; kind: 'password' | 'new-email' },
): Promise<string> {
  const token = Buffer.from(random.bytes(32)).toString('base64url')
  const now = clock.now()
  const [owner] = await db.select().from(users).where(eq(users.publicId, publicId))
  await db.insert(signInLinks).values({
    userId: owner!.id,
    kind,
    tokenHash: hashSecret(token),
    createdAt: now,
    expiresAt: new Date(now.getTime() + DAY_MS),
    ...(kind === 'new-email' && { newEmail: `new-${owner!.email}`, changeId: ids.next() }),
  })
  return token
}

/** A recipient that has not agreed, and the link that was mailed to it. */
async function recipientLinkFor(
  { deps: { db, clock, ids, random } }: Server,
  accountId: bigint,
): Promise<string> {
  const { token, tokenHash } = newLinkToken(random)
  const createdAt = clock.now()
  const address = 'link@northwind.example'
  const common = { accountId, createdAt }
  const [added] = await db
    .insert(recipients)
    .values({
      ...common,
      publicId: ids.next(),
      updatedAt: createdAt,
      name: 'Not yet',
      mailTo: [address],
      sealedSecret: '',
    })
    .returning({ id: recipients.id })
  const expiresAt = new Date(createdAt.getTime() + DAY_MS)
  await db
    .insert(recipientLinks)
    .values({ ...common, recipientId: added!.id, address, tokenHash, expiresAt })
  return token
}

async function machine(server: Server): Promise<Person> {
  const account = await addAccount(server.deps, 'platform')
  const scopes = ['identity:read', 'identity:write', 'observations:write']
  const headers = await addKey(server, { account, scopes })
  // The first use of a key is noted; after this one no call is.
  await server.http.inject({ url: '/api/v1/me', headers })
  return { name: 'service', headers, permissions: new Set(scopes), known: {}, own: {} }
}
