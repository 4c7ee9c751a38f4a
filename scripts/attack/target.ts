import { codeOf } from '../../apps/server/src/testing/factors.ts'
import { type Company, enterCompany } from './at-provider.ts'
import { type Live, makeLive } from './live.ts'

/** An answer of the server under attack. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** The body as JSON, or an empty object. */
  readonly body: Readonly<Record<string, unknown>>
}

export interface Call {
  readonly as?: Person
  readonly body?: unknown
  /** Instead of a body. */
  readonly file?: { readonly type: string; readonly bytes: Buffer }
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends one request. */
export type Send = (method: string, path: string, call?: Call) => Promise<Answer>

/** Opens a stream of live updates and leaves it open. Returns the status. */
export type Follow = (as: Person) => Promise<number>

/** A caller with a credential. */
export type Person = Readonly<Record<string, string>>

/** Users and rows that an attack creates for itself. */
export interface Target {
  readonly send: Send
  /** Opens a stream and leaves it open. Undefined where there is no network. */
  readonly follow: Follow | undefined
  /** Until an address may sign in again. */
  calm(): Promise<void>
  /** Part of the names of all created rows. */
  readonly name: string
  readonly operator: Person
  readonly buyer: Person
  readonly rival: Person
  readonly seller: Person
  readonly sellerKey: Person
  /** A key of another publisher. */
  readonly neighbour: Person
  readonly victim: Victim
  /** Has an authenticator too, and uses it against the victim. */
  readonly thief: Victim
  /** Signed in without the second factor that the account requires. */
  readonly lacking: Person
  /** What the buyer signs in with. */
  readonly member: Credentials
  readonly live: Live
  /** An identity provider, if the server calls this machine. */
  readonly company: Company | undefined
  readonly ids: {
    readonly buyerAccount: string
    readonly rivalAccount: string
    readonly advertiser: string
    readonly rivalAdvertiser: string
    readonly campaign: string
    readonly rivalCampaign: string
    readonly banner: string
    readonly publisher: string
    readonly site: string
    readonly placement: string
    readonly placementSlug: string
    readonly neighbourSlug: string
  }
}

/** Somebody with an authenticator, whose password has become known. */
export interface Victim {
  readonly email: string
  readonly password: string
  readonly userId: string
  readonly factorId: string
  readonly person: Person
  /** The code that confirmed the authenticator. */
  readonly usedCode: string
  /** One that was not used yet. */
  readonly nextCode: string
}

const PASSWORD = 'ferry lantern quartz meadow 7'

export interface Asked {
  readonly operator: Person
  /** Part of the names of all created rows. */
  readonly name: string
  /** The time of the server. */
  now(): Date
  readonly follow?: Follow
  calm(): Promise<void>
  /** Registers what ends what the attack starts. */
  atEnd(tidyUp: () => Promise<void>): void
}

type Make = (path: string, body: object, as?: Person) => Promise<string>

const makerFor =
  (send: Send, operator: Person): Make =>
  async (path, body, as = operator) => {
    const answer = await send('POST', `/api/v1/admin/${path}`, { as, body })
    if (answer.status !== 201) {
      throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    }
    return String(answer.body['id'])
  }

/** Signs in and creates throw-away accounts, users and rows. */
export async function prepareTarget(send: Send, asked: Asked): Promise<Target> {
  const { operator, name } = asked
  const make = makerFor(send, operator)
  const member = async (role: 'advertiser' | 'publisher', whose: string) => {
    const accountId = await make('accounts', { kind: role, name: `${name} ${whose}` })
    const email = `${whose}@${name}.example`
    await make('users', { accountId, email, displayName: whose, role, password: PASSWORD })
    return { accountId, person: await signIn(send, { email, password: PASSWORD }) }
  }
  const buyer = await member('advertiser', 'buyer')
  const rival = await member('advertiser', 'rival')
  const seller = await member('publisher', 'seller')
  const neighbour = await member('publisher', 'neighbour')
  const keyFor = async ({ accountId, person }: Member) => {
    const body = { name, accountId, scopes: ['serving:read', 'serving:write'] }
    const made = await send('POST', '/api/v1/admin/api-keys', { as: person, body })
    return { 'x-api-key': String(made.body['key']) }
  }
  const inventory = await makeInventory(make, { ...seller, name, currency: 'EUR' })
  const next = await makeInventory(make, {
    ...neighbour,
    name: `${name}-next`,
    currency: 'JPY',
  })
  const booking = await makeBooking(make, buyer, name)
  const contest = await makeRival(make, rival, name)
  return {
    send,
    name,
    follow: asked.follow,
    calm: () => asked.calm(),
    operator,
    member: { email: `buyer@${name}.example`, password: PASSWORD },
    live: await makeLive(
      { send, operator, name },
      {
        own: { publisherId: inventory.publisher, advertiserId: booking.advertiser },
        other: { publisherId: next.publisher, advertiserId: contest.rivalAdvertiser },
      },
    ),
    buyer: buyer.person,
    rival: rival.person,
    seller: seller.person,
    sellerKey: await keyFor(seller),
    neighbour: await keyFor(neighbour),
    victim: await makeVictim(send, asked, 'victim'),
    thief: await makeVictim(send, asked, 'thief'),
    lacking: await makeLacking(send, asked),
    company: await enterCompany(send, { ...asked, accountId: buyer.accountId }),
    ids: {
      buyerAccount: buyer.accountId,
      rivalAccount: rival.accountId,
      ...inventory,
      neighbourSlug: next.placementSlug,
      ...booking,
      ...contest,
    },
  }
}

interface Member {
  readonly accountId: string
  readonly person: Person
}

interface Selling {
  readonly accountId: string
  readonly name: string
  readonly currency: string
  readonly person: Person
}

async function makeInventory(make: Make, selling: Selling) {
  const { accountId, name, currency, person } = selling
  const publisherId = await make('publishers', { name, accountId, currency })
  const placementSlug = `${name}-top`
  const placement = await make('placements', {
    slug: placementSlug,
    label: 'Top',
    layoutType: 'inline_card',
    mode: 'auction',
    publisherId,
  })
  // Of its own making: what an operator makes counts as proven.
  const seedUrl = `https://${name}.example/`
  const body = { name, domain: `${name}.example`, seedUrl, publisherId }
  const site = await make('sites', body, person)
  return { publisher: publisherId, site, placement, placementSlug }
}

async function makeBooking(make: Make, { accountId, person }: Member, name: string) {
  const advertiser = await make('advertisers', { name, accountId, currency: 'EUR' })
  const image = 'https://cdn.example/autumn.png'
  const body = { title: name, primaryImageUrl: image, advertiserId: advertiser }
  return {
    advertiser,
    campaign: await make('campaigns', { name, advertiserId: advertiser }, person),
    banner: await make('banners', body, person),
  }
}

async function makeRival(make: Make, { accountId, person }: Member, name: string) {
  const body = { name: `${name} rival`, accountId, currency: 'JPY' }
  const rivalAdvertiser = await make('advertisers', body)
  const rivalCampaign = await make('campaigns', { name, advertiserId: rivalAdvertiser }, person)
  return { rivalAdvertiser, rivalCampaign }
}

/** An account that requires a second factor, with somebody in it who has none. */
async function addLacking(send: Send, { operator, name }: Asked, whose: string) {
  const make = makerFor(send, operator)
  const account = { kind: 'advertiser', name: `${name} ${whose}`, requiresFactor: true }
  const accountId = await make('accounts', account)
  const person = { email: `${whose}@${name}.example`, password: PASSWORD }
  const user = { ...person, accountId, displayName: whose, role: 'advertiser' }
  return { ...person, userId: await make('users', user) }
}

async function makeLacking(send: Send, asked: Asked): Promise<Person> {
  return signIn(send, await addLacking(send, asked, 'lacking'))
}

async function makeVictim(send: Send, asked: Asked, whose: string): Promise<Victim> {
  const made = await addLacking(send, asked, whose)
  const person = await signIn(send, made)
  return { ...made, person, ...(await setUpAuthenticator(send, person, asked.now())) }
}

const STEP_MS = 30_000

async function setUpAuthenticator(send: Send, as: Person, now: Date) {
  const begun = await send('POST', '/api/v1/me/factors/authenticator', { as })
  const secret = String(begun.body['secret'])
  const usedCode = codeOf(secret, now)
  const body = { name: 'A phone', code: usedCode }
  const added = await send('POST', '/api/v1/me/factors/authenticator/confirm', { as, body })
  if (added.status !== 200) throw new Error(`no factor was set up: ${JSON.stringify(added.body)}`)
  const { id: factorId } = added.body['factor'] as { id: string }
  return { factorId, usedCode, nextCode: codeOf(secret, new Date(now.getTime() + STEP_MS)) }
}

export interface Credentials {
  readonly email: string
  readonly password: string
  /** A code of the authenticator, if there is one. */
  readonly code?: string
}

/** Signs in, and asks what is missing if the server opens nothing. */
export async function signIn(send: Send, { email, password, code }: Credentials): Promise<Person> {
  const first = await send('POST', '/api/v1/auth/sign-in', { body: { email, password } })
  const { signInToken } = first.body
  const answer =
    first.status === 202 && code !== undefined
      ? await send('POST', '/api/v1/auth/sign-in/code', { body: { signInToken, code } })
      : first
  if (answer.status !== 200) throw new Error(`${email} cannot sign in: ${answer.status}`)
  return { authorization: `Bearer ${String(answer.body['accessToken'])}` }
}
