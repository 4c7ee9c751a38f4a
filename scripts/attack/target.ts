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

/** One request, however it travels. */
export type Send = (method: string, path: string, call?: Call) => Promise<Answer>

/** Somebody with a credential. */
export type Person = Readonly<Record<string, string>>

/** People and things that an attack makes for itself. */
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

/** Signs in and makes throw-away accounts, people and rows, all with `name` in their names. */
export async function prepareTarget(
  send: Send,
  { operator, name }: { readonly operator: Person; readonly name: string },
): Promise<Target> {
  const make = async (path: string, body: object, as: Person = operator): Promise<string> => {
    const answer = await send('POST', `/api/v1/admin/${path}`, { as, body })
    if (answer.status !== 201) {
      throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    }
    return String(answer.body['id'])
  }
  const account = (kind: string, whose: string) =>
    make('accounts', { kind, name: `${name} ${whose}` })
  const person = async (accountId: string, role: string, whose: string): Promise<Person> => {
    const email = `${whose}@${name}.example`
    await make('users', { accountId, email, displayName: whose, role, password: PASSWORD })
    return signIn(send, email, PASSWORD)
  }

  const buyerAccount = await account('advertiser', 'buyer')
  const rivalAccount = await account('advertiser', 'rival')
  const sellerAccount = await account('publisher', 'seller')
  const buyer = await person(buyerAccount, 'advertiser', 'buyer')
  const rival = await person(rivalAccount, 'advertiser', 'rival')
  const seller = await person(sellerAccount, 'publisher', 'seller')

  const advertiser = await make('advertisers', {
    name,
    accountId: buyerAccount,
    currency: 'EUR',
  })
  const rivalAdvertiser = await make('advertisers', {
    name: `${name} rival`,
    accountId: rivalAccount,
    currency: 'EUR',
  })
  const publisher = await make('publishers', { name, accountId: sellerAccount, currency: 'EUR' })
  const site = await make('sites', { name, domain: `${name}.example`, publisherId: publisher })
  const placementSlug = `${name}-top`
  await make('placements', {
    slug: placementSlug,
    label: 'Top',
    layoutType: 'inline_card',
    mode: 'auction',
    publisherId: publisher,
  })
  const campaign = await make('campaigns', { name, advertiserId: advertiser }, buyer)
  const rivalCampaign = await make('campaigns', { name, advertiserId: rivalAdvertiser }, rival)
  const image = 'https://cdn.example/autumn.png'
  const banner = await make(
    'banners',
    { title: name, primaryImageUrl: image, advertiserId: advertiser },
    buyer,
  )
  const made = await send('POST', '/api/v1/admin/api-keys', {
    as: seller,
    body: { name, accountId: sellerAccount, scopes: ['serving:read', 'serving:write'] },
  })
  return {
    send,
    operator,
    buyer,
    rival,
    seller,
    sellerKey: { 'x-api-key': String(made.body['key']) },
    ids: {
      buyerAccount,
      advertiser,
      rivalAdvertiser,
      campaign,
      rivalCampaign,
      banner,
      site,
      placementSlug,
    },
  }
}

export async function signIn(send: Send, email: string, password: string): Promise<Person> {
  const answer = await send('POST', '/api/v1/auth/sign-in', { body: { email, password } })
  if (answer.status !== 200) throw new Error(`${email} cannot sign in: ${answer.status}`)
  return { authorization: `Bearer ${String(answer.body['accessToken'])}` }
}
