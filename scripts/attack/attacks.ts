import { atProvider, WITHOUT_PROVIDER } from './at-provider.ts'
import { FACTORS } from './factors.ts'
import { DECIDING, LIMITS, SESSIONS, UNPROVEN } from './limits.ts'
import { AUCTIONS, EVENTS } from './money.ts'
import { READERS } from './readers.ts'
import type { Answer, Target } from './target.ts'

/** One attempt to cheat, stop or blind the platform, and whether the platform held. */
export interface Attack {
  readonly name: string
  run(target: Target): Promise<Answer>
  holds(answer: Answer): boolean
}

const refused = ({ status }: Answer) => status >= 400 && status < 500
const notFound = ({ status }: Answer) => status === 404 || status === 403
/** A field that only ad operations write stays as it is: refused, or kept as a proposal. */
const notTaken = (answer: Answer) => refused(answer) || answer.body['proposal'] !== undefined
const answered = ({ status }: Answer) => status < 500

/** The buyer changes one of its own rows: `campaigns/{campaign}`. */
const patch = (path: string, body: object): Pick<Attack, 'run'> => ({
  run: ({ send, buyer, ids }) => {
    const own = path.replace(/\{(\w+)\}/, (_, of: keyof typeof ids) => ids[of])
    return send('PATCH', `/api/v1/admin/${own}`, { as: buyer, body })
  },
})

const HUGE = '999999999999999999'

const SHARED_FATE: readonly Attack[] = [
  ...['budgetDailyMicros', 'conversionValueMaxMicros'].map((field) => ({
    name: `an advertiser's ${field} beyond what every layer can carry`,
    ...patch('advertisers/{advertiser}', { [field]: HUGE }),
    holds: refused,
  })),
  ...['budgetTotalMicros', 'budgetDailyMicros', 'maxBidMicros'].map((field) => ({
    name: `a campaign's ${field} beyond what every layer can carry`,
    ...patch('campaigns/{campaign}', { [field]: HUGE }),
    holds: refused,
  })),
  ...['AET', 'MIT', 'NET', 'US/Pacific-New', 'Mars/Olympus'].map((timeZone) => ({
    name: `the time zone ${timeZone}, which PostgreSQL does not know`,
    ...patch('advertisers/{advertiser}', { timeZone }),
    holds: refused,
  })),
  ...['59 23 31 4,6,9,11 *', '99 99 * * *', '* * *'].map((crawlCron) => ({
    name: `a crawl that never comes: ${crawlCron}`,
    run: ({ send, seller, ids }: Target) =>
      send('PATCH', `/api/v1/admin/sites/${ids.site}`, { as: seller, body: { crawlCron } }),
    holds: refused,
  })),
  {
    name: 'a report in a zone that is none',
    run: ({ send, buyer }) =>
      send('POST', '/api/v1/reports/query', {
        as: buyer,
        body: { dimensions: ['day'], metrics: ['impressions'], timeZone: 'AET' },
      }),
    holds: refused,
  },
]

const COMMERCIAL: readonly Attack[] = [
  ...Object.entries({ source: 'internal', priority: 1_000_000 }).map(([field, value]) => ({
    name: `a buyer sets its campaign's ${field}`,
    ...patch('campaigns/{campaign}', { [field]: value }),
    holds: notTaken,
  })),
  ...Object.entries({ source: 'internal', priority: 1_000_000, isEvergreenFallback: true }).map(
    ([field, value]) => ({
      name: `a buyer sets its banner's ${field}`,
      ...patch('banners/{banner}', { [field]: value }),
      holds: notTaken,
    }),
  ),
  {
    name: 'a buyer makes itself the house',
    run: ({ send, buyer, ids }) =>
      send('POST', '/api/v1/admin/advertisers', {
        as: buyer,
        body: { name: 'House', accountId: ids.buyerAccount, currency: 'EUR', isHouse: true },
      }),
    holds: notTaken,
  },
]

const TENANTS: readonly Attack[] = [
  {
    name: 'a buyer reads a campaign of a rival',
    run: ({ send, buyer, ids }) =>
      send('GET', `/api/v1/admin/campaigns/${ids.rivalCampaign}`, { as: buyer }),
    holds: notFound,
  },
  {
    name: 'a buyer changes an advertiser of a rival',
    run: ({ send, buyer, ids }) =>
      send('PATCH', `/api/v1/admin/advertisers/${ids.rivalAdvertiser}`, {
        as: buyer,
        body: { name: 'Mine' },
      }),
    holds: notFound,
  },
  {
    name: 'a buyer turns a switch of the platform',
    run: ({ send, buyer }) =>
      send('PUT', '/api/v1/admin/switches/decisions.serving', {
        as: buyer,
        body: { state: 'off' },
      }),
    holds: refused,
  },
  {
    name: 'a key makes a key that may do more',
    run: ({ send, sellerKey, ids }) =>
      send('POST', '/api/v1/admin/api-keys', {
        as: sellerKey,
        body: { name: 'More', accountId: ids.buyerAccount, scopes: ['campaigns:write'] },
      }),
    holds: refused,
  },
]

const FRAUD: readonly Attack[] = [
  {
    name: 'a purchase without a click',
    run: ({ send }) =>
      send('POST', '/t/v', {
        body: { token: 'AQFhYmNkZWY', kind: 'purchase', orderId: '1', valueMicros: '999000000' },
      }),
    holds: answered,
  },
  {
    name: 'a forged click',
    run: ({ send }) => send('GET', `/t/c/${'A'.repeat(80)}`),
    holds: (answer) => answered(answer) && answer.headers['location'] === undefined,
  },
  {
    name: 'an event of an ad that does not exist',
    run: ({ send }) =>
      send('POST', '/api/v1/ads/events/impression', {
        body: { adId: '01890000-0000-7000-8000-00000000dead', userId: 'u' },
      }),
    holds: answered,
  },
]

const SIGN_IN: readonly Attack[] = [
  {
    name: 'a password that everybody has',
    run: ({ send, operator, ids }) =>
      send('POST', '/api/v1/admin/users', {
        as: operator,
        body: {
          accountId: ids.buyerAccount,
          email: `weak@${ids.placementSlug}.example`,
          displayName: 'Weak',
          role: 'advertiser',
          password: 'password1234',
        },
      }),
    holds: refused,
  },
  {
    name: 'a refresh without a token',
    run: ({ send }) => send('POST', '/api/v1/auth/refresh', { body: {} }),
    holds: refused,
  },
  {
    name: 'a token of somebody else’s making',
    run: ({ send }) =>
      send('GET', '/api/v1/me', {
        headers: { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.' },
      }),
    holds: refused,
  },
]

const deep = (levels: number): unknown => (levels === 0 ? 'x' : { a: deep(levels - 1) })

const BAD_INPUT: readonly Attack[] = [
  ...[
    '/api/v1/ads-manager/campaigns?to=0001-01-01&delivery=delivering',
    '/api/v1/admin/auctions/statistics?endDate=9999-12-31',
    '/api/v1/admin/campaigns?cursor=%00',
    '/api/v1/reports/exports?limit=-1',
  ].map((path) => ({
    name: `GET ${path}`,
    run: ({ send, operator }: Target) => send('GET', path, { as: operator }),
    holds: answered,
  })),
  ...['ZZ', 'XX', 'UK', 'EU', 'nonsense'].map((country) => ({
    name: `a targeting rule for the country ${country}`,
    run: ({ send, buyer, ids }: Target) =>
      send('POST', '/api/v1/admin/targeting-rules', {
        as: buyer,
        body: {
          campaignId: ids.campaign,
          ruleType: 'country',
          operator: 'in',
          value: { values: [country] },
        },
      }),
    holds: refused,
  })),
  ...['\u0000', '\ud800', 'x'.repeat(100_000)].map((name, at) => ({
    name: `a campaign with a name that no layer likes (${at + 1})`,
    ...patch('campaigns/{campaign}', { name }),
    holds: answered,
  })),
  {
    name: 'JSON of many levels',
    run: ({ send }) => send('POST', '/api/v1/ads/serve', { body: deep(64) }),
    holds: answered,
  },
]

/** After all of it. */
const GOING_ON: Attack = {
  name: 'what was tried has stopped changes from reaching decisions',
  async run({ send, operator, live }) {
    const { slug: placement, campaign } = live.other
    const ask = () => send('POST', '/api/v1/ads/serve', { body: { placement } })
    const before = await ask()
    if (before.status !== 200) return { ...before, status: 500 }
    await send('POST', `/api/v1/admin/campaigns/${campaign}/pause`, { as: operator, body: {} })
    let answer = before
    for (let tries = 0; tries < 500 && answer.status === 200; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      answer = await ask()
    }
    return answer
  },
  holds: ({ status }) => status === 204,
}

const ATTACKS: readonly Attack[] = [
  ...SHARED_FATE,
  ...COMMERCIAL,
  ...TENANTS,
  ...DECIDING,
  ...AUCTIONS,
  ...FRAUD,
  ...EVENTS,
  ...SIGN_IN,
  ...WITHOUT_PROVIDER,
  ...FACTORS,
  ...READERS,
  ...BAD_INPUT,
  ...LIMITS,
  UNPROVEN,
  GOING_ON,
]

export interface Verdict {
  readonly tried: number
  readonly held: number
  readonly broken: readonly string[]
}

/** Runs all attacks, one after the other. Any server error counts as broken. */
export async function attack(
  target: Target,
  tell: (line: string) => void = () => {},
): Promise<Verdict> {
  const broken: string[] = []
  const attacks = [...(target.company ? atProvider(target.company) : []), ...ATTACKS, ...SESSIONS]
  for (const one of attacks) {
    if (one === SESSIONS[0]) await target.calm()
    const answer = await one.run(target)
    const holds = answer.status < 500 && one.holds(answer)
    if (!holds) broken.push(`${one.name}: ${answer.status}`)
    const { code } = answer.body
    const named = typeof code === 'string' ? code : ''
    tell(`${holds ? 'held  ' : 'BROKEN'} ${one.name}: ${answer.status} ${named}`)
  }
  return { tried: attacks.length, held: attacks.length - broken.length, broken }
}
