import type { Attack } from './attacks.ts'
import type { Answer, Call, Target } from './target.ts'

const refused = ({ status }: Answer) => status >= 400 && status < 500
const statusOf = (status: number, body: Answer['body'] = {}): Answer => ({
  status,
  headers: {},
  body,
})

/** The worst status of requests sent at once, and the answer to somebody else right after. */
async function crowd(
  target: Target,
  times: number,
  one: (at: number) => Promise<Answer>,
): Promise<Answer> {
  const answers = await Promise.all(Array.from({ length: times }, (_, at) => one(at)))
  const other = await target.send('GET', '/api/v1/admin/campaigns?limit=1', { as: target.rival })
  const worst = Math.max(...answers.map(({ status }) => status))
  return statusOf(other.status, { worst })
}

const othersGoOn = ({ status, body }: Answer) => status === 200 && Number(body['worst']) < 500

/** By their number, not by the rate of requests. */
const isBounded = (answer: Answer) => refused(answer) && answer.body['code'] !== 'TOO_MANY_REQUESTS'

/** Sends until something is refused; the last answer. */
async function untilRefused(
  timesMax: number,
  one: (at: number) => Promise<Answer>,
): Promise<Answer> {
  let answer = statusOf(0)
  for (let at = 0; at < timesMax && !refused(answer); at++) answer = await one(at)
  return answer
}

const REPORT = { dimensions: ['day'], metrics: ['impressions'], format: 'csv' }

/** What one account may do at once, or at all. */
export const LIMITS: readonly Attack[] = [
  {
    name: '24 exports at once stop the others',
    run: (target) =>
      crowd(target, 24, () =>
        target.send('POST', '/api/v1/reports/export', { as: target.buyer, body: REPORT }),
      ),
    holds: othersGoOn,
  },
  {
    name: 'campaigns that are deleted at once lock each other',
    async run(target) {
      const { send, buyer, ids } = target
      const made = await Promise.all(
        Array.from({ length: 6 }, (_, at) =>
          send('POST', '/api/v1/admin/campaigns', {
            as: buyer,
            body: { name: `${at}`, advertiserId: ids.advertiser },
          }),
        ),
      )
      return crowd(target, 6, (at) =>
        send('DELETE', `/api/v1/admin/campaigns/${String(made[at]!.body['id'])}`, { as: buyer }),
      )
    },
    holds: othersGoOn,
  },
  {
    name: 'one account takes every live stream',
    async run(target) {
      const { follow, seller, operator } = target
      if (follow === undefined) return statusOf(200, { refused: true })
      const own = []
      for (let at = 0; at < 40; at++) own.push(await follow(seller))
      return statusOf(await follow(operator), { refused: own.includes(429) || own.includes(503) })
    },
    holds: ({ status, body }) => status === 200 && body['refused'] === true,
  },
  {
    name: 'the caller confirms the address of a stranger in his place',
    async run({ send, buyer }) {
      const body = { name: 'A stranger', mailTo: ['stranger@bystander.example'], topics: [] }
      const made = await send('POST', '/api/v1/admin/recipients', { as: buyer, body })
      const path = `/api/v1/admin/recipients/${String(made.body['id'])}/confirmation`
      const again = await send('POST', path, { as: buyer, body: {} })
      return statusOf(made.status, { made: made.body, again: again.body })
    },
    holds: ({ status, body }) =>
      status === 201 && !JSON.stringify(body).includes('confirm-recipient'),
  },
  {
    name: 'an account has recipients of notices without end',
    run: ({ send, buyer }) =>
      untilRefused(250, (at) =>
        send('POST', '/api/v1/admin/recipients', {
          as: buyer,
          body: { name: `${at}`, mailTo: [`stranger${at}@bystander.example`], topics: [] },
        }),
      ),
    holds: isBounded,
  },
  {
    name: 'an account has keys without end',
    run: ({ send, rival, ids }) =>
      untilRefused(120, (at) =>
        send('POST', '/api/v1/admin/api-keys', {
          as: rival,
          body: { name: `${at}`, accountId: ids.rivalAccount, scopes: ['campaigns:read'] },
        }),
      ),
    holds: isBounded,
  },
]

/** What belongs to the seller or to the platform, and a buyer tries all the same. */
export const DECIDING: readonly Attack[] = [
  {
    name: 'a buyer accepts its own proposal',
    async run({ send, buyer, ids }) {
      const path = `/api/v1/admin/campaigns/${ids.campaign}`
      const { body } = await send('PATCH', path, { as: buyer, body: { priority: 7 } })
      const { id } = (body['proposal'] ?? { id: 'none' }) as { id: string }
      return send('POST', `/api/v1/admin/proposals/${id}/accept`, { as: buyer, body: {} })
    },
    holds: refused,
  },
  {
    name: 'a buyer approves its own creative',
    async run({ send, buyer, ids }) {
      const asked = { bannerId: ids.banner, siteId: ids.site }
      const { body } = await send('POST', '/api/v1/admin/creative-approvals', {
        as: buyer,
        body: asked,
      })
      const path = `/api/v1/admin/creative-approvals/${String(body['id'])}/approve`
      return send('POST', path, { as: buyer, body: {} })
    },
    holds: refused,
  },
  {
    name: 'a publisher confirms its own domain',
    run: ({ send, seller, ids }) =>
      send('POST', `/api/v1/admin/sites/${ids.site}/domain/confirm`, {
        as: seller,
        body: { reason: 'It is mine' },
      }),
    holds: refused,
  },
  {
    name: 'pages of a domain that nobody has proven are read',
    run: ({ send, seller, ids }) =>
      send('POST', `/api/v1/admin/sites/${ids.site}/crawl`, { as: seller, body: {} }),
    holds: refused,
  },
  ...(
    [
      ['ads', 'bidMicros'],
      ['placements', 'floorMicros'],
    ] as const
  ).map(([of, field]) => ({
    name: `the ${field} of ${of} beyond what every layer can carry`,
    run: ({ send, operator, live, ids }: Target) =>
      send('PATCH', `/api/v1/admin/${of}/${of === 'ads' ? live.ad : ids.placement}`, {
        as: operator,
        body: { [field]: '999999999999999999' },
      }),
    holds: refused,
  })),
  {
    name: 'a picture that takes gigabytes in memory',
    run: ({ send, buyer }) =>
      send('POST', '/api/v1/admin/assets', {
        as: buyer,
        file: { type: 'image/png', bytes: pngOf(60_000, 60_000) },
      }),
    holds: refused,
  },
]

/** The live placement moves to a page, so nothing else can use it afterwards. */
export const UNPROVEN: Attack = {
  name: 'ads run on a domain that nobody has proven',
  async run({ send, seller, live, ids, name }) {
    const slot = { siteId: ids.site, placementId: live.placement, name, width: 300, height: 250 }
    await send('POST', '/api/v1/admin/slots', { as: seller, body: slot })
    return send('POST', `/api/v1/sites/${ids.site}/serve`, {
      body: { url: `https://${name}.example/`, slots: [{ placement: live.slug }] },
    })
  },
  holds: (answer) => refused(answer) || !JSON.stringify(answer.body).includes('impressionUrl'),
}

/** The head of a picture, which says how large it is. */
function pngOf(width: number, height: number): Buffer {
  const head = Buffer.from(
    '89504e470d0a1a0a0000000d49484452000000000000000008060000000000000000',
    'hex',
  )
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return head
}

/** Sign-ins and tokens. The last one uses up what an address may try. */
export const SESSIONS: readonly Attack[] = [
  {
    name: '"forgot password" tells who has an address here',
    async run({ send, victim }) {
      const ask = (email: string) =>
        send('POST', '/api/v1/auth/forgot-password', { body: { email } })
      const [known, unknown] = [await ask(victim.email), await ask('nobody@bystander.example')]
      return statusOf(known.status, {
        isSame: known.status === unknown.status && same(known, unknown),
      })
    },
    holds: ({ body }) => body['isSame'] === true,
  },
  {
    name: 'a page of another origin refreshes somebody’s session',
    async run(target) {
      const own = await refresh(target, { 'sec-fetch-site': 'same-origin' })
      const { status } = await refresh(target, { 'sec-fetch-site': 'cross-site' })
      return statusOf(status, { own: own.status })
    },
    holds: (answer) => refused(answer) && answer.body['own'] === 200,
  },
  {
    name: 'a refresh token works twice',
    async run({ send, member }) {
      const { body } = await send('POST', '/api/v1/auth/sign-in', { body: member })
      const again = { body: { refreshToken: body['refreshToken'] } }
      await send('POST', '/api/v1/auth/refresh', again)
      return send('POST', '/api/v1/auth/refresh', again)
    },
    holds: refused,
  },
  {
    name: 'answers with tokens are kept by caches',
    run: ({ send, member }) => send('POST', '/api/v1/auth/sign-in', { body: member }),
    holds: ({ status, headers }) =>
      status === 200 && String(headers['cache-control']).includes('no-store'),
  },
  {
    name: 'one address guesses passwords without end, as many by its own word',
    run: ({ send, victim }) =>
      untilLimited(40, (at) =>
        send('POST', '/api/v1/auth/sign-in', {
          body: { email: victim.email, password: `guess ${at} of a password` },
          headers: { 'x-forwarded-for': `198.51.100.${at}`, forwarded: `for=198.51.100.${at}` },
        }),
      ),
    holds: ({ status }) => status === 429,
  },
]

const same = (one: Answer, other: Answer) => JSON.stringify(one.body) === JSON.stringify(other.body)

async function untilLimited(
  timesMax: number,
  one: (at: number) => Promise<Answer>,
): Promise<Answer> {
  let answer = statusOf(0)
  for (let at = 0; at < timesMax && answer.status !== 429; at++) answer = await one(at)
  return answer
}

async function refresh({ send, member }: Target, headers: NonNullable<Call['headers']>) {
  const signedIn = await send('POST', '/api/v1/auth/sign-in', {
    body: { ...member, refreshTokenIn: 'cookie' },
  })
  const cookies = [signedIn.headers['set-cookie'] ?? []].flat().map((one) => one.split(';')[0])
  return send('POST', '/api/v1/auth/refresh', {
    body: {},
    headers: { ...headers, cookie: cookies.join('; ') },
  })
}
