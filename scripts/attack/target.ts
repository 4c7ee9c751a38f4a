/** An answer of the server under attack. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body as JSON, or an empty object. */
  readonly body: Readonly<Record<string, unknown>>
}

export interface Call {
  readonly as?: Person
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends one request. */
export type Send = (method: string, path: string, call?: Call) => Promise<Answer>

/** A caller with a credential. */
export type Person = Readonly<Record<string, string>>

/** Users and rows that an attack creates for itself. */
export interface Target {
  readonly send: Send
  readonly operator: Person
  readonly buyer: Person
  readonly rival: Person
  readonly seller: Person
  readonly sellerKey: Person
  readonly ids: {
    readonly buyerAccount: string
    readonly advertiser: string
    readonly rivalAdvertiser: string
    readonly campaign: string
    readonly rivalCampaign: string
    readonly banner: string
    readonly site: string
    readonly placementSlug: string
  }
}

const PASSWORD = 'ferry lantern quartz meadow 7'

interface Asked {
  readonly operator: Person
  /** Part of the names of all created rows. */
  readonly name: string
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
export async function prepareTarget(send: Send, { operator, name }: Asked): Promise<Target> {
  const make = makerFor(send, operator)
  const member = async (role: 'advertiser' | 'publisher', whose: string) => {
    const accountId = await make('accounts', { kind: role, name: `${name} ${whose}` })
    const email = `${whose}@${name}.example`
    await make('users', { accountId, email, displayName: whose, role, password: PASSWORD })
    return { accountId, person: await signIn(send, email, PASSWORD) }
  }
  const buyer = await member('advertiser', 'buyer')
  const rival = await member('advertiser', 'rival')
  const seller = await member('publisher', 'seller')
  const made = await send('POST', '/api/v1/admin/api-keys', {
    as: seller.person,
    body: { name, accountId: seller.accountId, scopes: ['serving:read', 'serving:write'] },
  })
  return {
    send,
    operator,
    buyer: buyer.person,
    rival: rival.person,
    seller: seller.person,
    sellerKey: { 'x-api-key': String(made.body['key']) },
    ids: {
      buyerAccount: buyer.accountId,
      ...(await makeInventory(make, seller.accountId, name)),
      ...(await makeBooking(make, buyer, name)),
      ...(await makeRival(make, rival, name)),
    },
  }
}

interface Member {
  readonly accountId: string
  readonly person: Person
}

async function makeInventory(make: Make, accountId: string, name: string) {
  const publisherId = await make('publishers', { name, accountId, currency: 'EUR' })
  const placementSlug = `${name}-top`
  await make('placements', {
    slug: placementSlug,
    label: 'Top',
    layoutType: 'inline_card',
    mode: 'auction',
    publisherId,
  })
  const site = await make('sites', { name, domain: `${name}.example`, publisherId })
  return { site, placementSlug }
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
  const body = { name: `${name} rival`, accountId, currency: 'EUR' }
  const rivalAdvertiser = await make('advertisers', body)
  const rivalCampaign = await make('campaigns', { name, advertiserId: rivalAdvertiser }, person)
  return { rivalAdvertiser, rivalCampaign }
}

export async function signIn(send: Send, email: string, password: string): Promise<Person> {
  const answer = await send('POST', '/api/v1/auth/sign-in', { body: { email, password } })
  if (answer.status !== 200) throw new Error(`${email} cannot sign in: ${answer.status}`)
  return { authorization: `Bearer ${String(answer.body['accessToken'])}` }
}
