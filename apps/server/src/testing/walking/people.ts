import { newLinkToken } from '../../capabilities/accounts/index.ts'
import { recipientLinks, recipients } from '../../capabilities/notices/tables.ts'
import { DAY_MS } from '@placard/calendar'
import { eq } from 'drizzle-orm'
import { hashSecret } from '../../capabilities/accounts/sessions/tokens.ts'
import { signInLinks, users } from '../../capabilities/accounts/tables.ts'
import { ROLE_PERMISSIONS, type Role } from '../../capabilities/accounts/index.ts'
import {
  addAuthenticator,
  addPasskey,
  beginAuthenticator,
  challengeFrom,
  codeOf,
} from '../factors.ts'
import { softwarePasskey } from '../passkey.ts'
import type { Known } from './openapi.ts'
import { addKey, addUser, PASSWORD, signInAs, type TestServer } from '../server.ts'
import { addAccount } from '../world.ts'

/** A caller. */
export interface Person {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  readonly permissions: ReadonlySet<string>
  /** Ids this person would use in a valid request. */
  readonly known: Known
  /** The same for requests about their own sign-in. */
  readonly own: Known
}

export interface People {
  readonly operator: Person
  readonly adOps: Person
  readonly trust: Person
  /** A service with the scopes of the identity contract, which no person has. */
  readonly service: Person
  readonly advertiser: Person
  readonly publisher: Person
  readonly otherAdvertiser: Person
  readonly otherPublisher: Person
}

/** Users of every role, signed in; each tenant in its own account. */
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
      ...(await factorsOf(server, { email, headers })),
    },
  }
}

/** A second factor, and what its owner sends to use it and to add another one. */
async function factorsOf(
  server: Server,
  { email, headers }: { email: string; headers: Record<string, string> },
): Promise<Known> {
  const { clock } = server.deps
  const { factorId, nextCode } = await addAuthenticator(server, headers)
  const passkey = await addPasskey(server, headers)
  const { signInToken } = await signInAs(server, email)
  const { secret } = await beginAuthenticator(server, headers)
  const challengeAt = (path: string, payload?: object) =>
    challengeFrom(server, { path, headers, ...(payload && { payload }) })
  return {
    factorId,
    signInToken,
    'confirmMyPasskey.credential': softwarePasskey().create(
      await challengeAt('/me/factors/passkey-challenge'),
    ),
    'proveByPasskey.credential': passkey.use(await challengeAt('/me/proof/passkey-challenge')),
    'signInWithPasskey.credential': passkey.use(
      await challengeAt('/auth/sign-in/passkey-challenge', { signInToken }),
    ),
    'signInWithCode.code': nextCode(),
    'proveByCode.code': nextCode(),
    'confirmMyAuthenticator.code': codeOf(secret, clock.now()),
  }
}

/** The token of a link that somebody gets by mail. */
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

/** An unconfirmed recipient, and the link mailed to it. */
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
  // A key's first use is recorded, later ones are not.
  await server.http.inject({ url: '/api/v1/me', headers })
  return { name: 'service', headers, permissions: new Set(scopes), known: {}, own: {} }
}
