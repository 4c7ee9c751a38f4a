import type { Attack } from './attacks.ts'
import type { Answer, Call, Target } from './target.ts'

const refused = ({ status }: Answer) => status >= 400 && status < 500

const serve = ({ send }: Target, body: object, call: Call = {}) =>
  send('POST', '/api/v1/ads/serve', { ...call, body })

const deliveryOf = ({ send, operator, live }: Target) =>
  send('GET', `/api/v1/admin/tracking/delivery/${live.campaign}`, { as: operator })

const TRIES_MAX = 300
const PAUSE_MS = 50

/** Events are acknowledged before they are settled. */
async function deliveryWith(
  target: Target,
  isSettled: (answer: Answer) => boolean,
): Promise<Answer> {
  let answer = await deliveryOf(target)
  for (let tries = 0; tries < TRIES_MAX && !isSettled(answer); tries++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    answer = await deliveryOf(target)
  }
  return answer
}

const labelsOf = ({ body }: Answer) =>
  (body['labels'] ?? []) as readonly { label: string; impressions: number }[]
const countOf = (answer: Answer, label: string) =>
  labelsOf(answer).find((one) => one.label === label)?.impressions ?? 0
const unfilteredOf = (answer: Answer) =>
  labelsOf(answer).reduce((sum, { impressions }) => sum + impressions, 0)
const chargedOf = ({ body }: Answer) => Number(body['chargedMicros'])

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

/** Shows the live ad so often, and then reports all showings at once with these headers. */
async function see(target: Target, times: number, headers: Readonly<Record<string, string>>) {
  const { send, live } = target
  const shown = await Promise.all(
    Array.from({ length: times }, () =>
      serve(target, { placement: live.slug }, { headers: BROWSER }),
    ),
  )
  const links = shown.map(({ body }) => new URL(String(body['impressionUrl'])).pathname)
  await Promise.all(links.map((link) => send('GET', link, { headers })))
}

/** What the campaign pays for so many showings, reported in this way. */
async function chargedFor(
  target: Target,
  times: number,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const before = await deliveryOf(target)
  await see(target, times, headers)
  const after = await deliveryWith(
    target,
    (answer) => unfilteredOf(answer) >= unfilteredOf(before) + times,
  )
  return { ...after, body: { ...after.body, charged: chargedOf(after) - chargedOf(before) } }
}

const chargedNothing = ({ status, body }: Answer) => status === 200 && body['charged'] === 0

export const AUCTIONS: readonly Attack[] = [
  {
    name: 'by type a bid in yen wins in euros by its digits',
    run: (target) =>
      serve(target, { placementType: target.live.type, publisher: target.ids.publisher }),
    holds: ({ status, body }) => status === 200 && String(body['placement']).endsWith('-live'),
  },
  {
    name: 'by type an ad of a placement of another publisher is shown',
    async run(target) {
      const { live, ids } = target
      const shown = []
      for (let at = 0; at < 10; at++) {
        const asked = { placementType: live.type, publisher: ids.publisher, userId: `type ${at}` }
        shown.push((await serve(target, asked)).body['adId'])
      }
      return { status: 200, headers: {}, body: { isForeign: shown.includes(live.rivalAd) } }
    },
    holds: ({ body }) => body['isForeign'] === false,
  },
  {
    name: 'a stranger’s floor keeps an ad out, and so tells its bid',
    run: (target) => serve(target, { placement: target.live.slug, floor: 8.99 }),
    holds: ({ status }) => status === 200,
  },
  ...(['rival', undefined] as const).map((who) => ({
    name: `${who === undefined ? 'a stranger' : 'a buyer'} reads what a rival pays`,
    run: (target: Target) =>
      serve(target, { placement: target.live.slug, floor: 8.99 }, who && { as: target[who] }),
    holds: ({ status, body }: Answer) =>
      status === 200 &&
      !['finalPrice', 'finalPriceMicros', 'charge', 'chargeMicros'].some((field) => field in body),
  })),
  {
    name: 'a stranger holds the money of a small budget, so that nobody else is shown the ad',
    async run(target) {
      const { live, sellerKey } = target
      for (let at = 0; at < 40; at++) {
        await serve(target, { placement: live.parked, userId: `parking ${at}` })
      }
      return serve(target, { placement: live.parked, userId: 'a reader' }, { as: sellerKey })
    },
    holds: ({ status }) => status === 200,
  },
]

export const EVENTS: readonly Attack[] = [
  ...Object.entries({
    'a known bot': { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' },
    prefetch: { ...BROWSER, 'sec-purpose': 'prefetch' },
    'a request without a user agent': { 'user-agent': '' },
  }).map(([name, headers]) => ({
    name: `showings reported by ${name} are billed`,
    run: (target: Target) => chargedFor(target, 2, headers),
    holds: chargedNothing,
  })),
  {
    name: 'showings without a link and without a key are billed',
    async run(target) {
      const { send, live } = target
      const before = await deliveryOf(target)
      for (let at = 0; at < 5; at++) {
        await serve(
          target,
          { placement: live.slug, userId: `unlinked ${at}` },
          { headers: BROWSER },
        )
        const body = { adId: live.ad, userId: `unlinked ${at}` }
        await send('POST', '/api/v1/ads/events/impression', { body, headers: BROWSER })
      }
      const after = await deliveryWith(
        target,
        (answer) => unfilteredOf(answer) >= unfilteredOf(before) + 5,
      )
      return { ...after, body: { charged: chargedOf(after) - chargedOf(before) } }
    },
    holds: chargedNothing,
  },
  {
    name: 'one showing is billed twice',
    async run(target) {
      const { send, live } = target
      const before = await deliveryOf(target)
      const { body } = await serve(target, { placement: live.slug }, { headers: BROWSER })
      const { pathname } = new URL(String(body['impressionUrl']))
      for (let at = 0; at < 3; at++) await send('GET', pathname, { headers: BROWSER })
      const after = await deliveryWith(
        target,
        (answer) =>
          chargedOf(answer) > chargedOf(before) && unfilteredOf(answer) >= unfilteredOf(before) + 3,
      )
      return { ...after, body: { charged: chargedOf(after) - chargedOf(before) } }
    },
    holds: ({ body }) => body['charged'] === 5_000,
  },
  {
    name: '130 showings within seconds from one address are all billed',
    run: (target) => chargedFor(target, 130, BROWSER),
    holds: (answer) =>
      countOf(answer, 'burst') >= 30 && Number(answer.body['charged']) <= 100 * 5_000,
  },
  {
    name: 'the token that every page has makes a purchase',
    async run(target) {
      const { send, live } = target
      const { body } = await serve(target, { placement: live.slug }, { headers: BROWSER })
      const token = body['eventToken']
      const order = {
        kind: 'purchase',
        orderId: 'made up',
        valueMicros: '999000000',
        currency: 'EUR',
      }
      return send('POST', '/t/v', { body: { token, ...order }, headers: BROWSER })
    },
    holds: refused,
  },
  {
    name: 'a buyer’s own server reports a purchase for a rival',
    run: ({ send, rival, live }) =>
      send('POST', '/api/v1/conversions', {
        as: rival,
        body: {
          advertiserId: live.advertiser,
          kind: 'purchase',
          userId: 'anybody',
          eventId: 'one',
          orderId: 'one',
          valueMicros: '999000000',
          currency: 'EUR',
        },
      }),
    holds: refused,
  },
]
