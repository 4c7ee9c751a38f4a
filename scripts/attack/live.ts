import type { Call, Send } from './target.ts'

/** Ads that really run, to cheat with. */
export interface Live {
  /** The seller's placement in euros, where the buyer's ad runs. */
  readonly slug: string
  /** The type of that placement, and of the neighbour's in yen with the rival's ad. */
  readonly type: string
  readonly placement: string
  readonly campaign: string
  readonly advertiser: string
  readonly ad: string
  readonly rivalAd: string
  /** A placement whose only campaign has money for ten showings. */
  readonly parked: string
  /** The neighbour's placement, and the campaign that runs there. */
  readonly other: { readonly slug: string; readonly campaign: string }
}

interface Owner {
  readonly publisherId: string
  readonly advertiserId: string
}

/** Of the seller's placements only the one with the live ad has this type. */
const TYPE = 'feed'

interface Parts {
  readonly send: Send
  readonly operator: NonNullable<Call['as']>
  readonly name: string
}

/** 5.00 per thousand. It is the floor too, so a showing costs 5,000 micros. */
const BID = '5000000'
const TEN_SHOWINGS = '50000'

/** Placements of two publishers, each with an ad, and one with little money. */
export async function makeLive(
  { send, operator, name }: Parts,
  { own, other }: { readonly own: Owner; readonly other: Owner },
): Promise<Live> {
  const post = async (path: string, body: object): Promise<string> => {
    const answer = await send('POST', `/api/v1/admin/${path}`, { as: operator, body })
    if (answer.status >= 300)
      throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return String(answer.body['id'])
  }
  const run = async (owner: Owner, slug: string, booked: { bid: string; daily?: string }) => {
    const { publisherId, advertiserId } = owner
    const place = {
      slug,
      label: slug,
      layoutType: 'inline_card',
      mode: 'auction',
      publisherId,
      floorMicros: BID,
    }
    const placementId = await post('placements', {
      ...place,
      type: slug.endsWith('-parked') ? 'story' : TYPE,
    })
    const budget = booked.daily === undefined ? {} : { budgetDailyMicros: booked.daily }
    const plan = { name: slug, advertiserId, pacingStrategy: 'Accelerated', ...budget }
    const campaign = await post('campaigns', { ...plan, maxBidMicros: booked.bid })
    await post(`campaigns/${campaign}/placements`, { placementId })
    const primaryImageUrl = 'https://cdn.example/autumn.png'
    const ctaUrl = 'https://shop.example/'
    const bannerId = await post('banners', { title: slug, primaryImageUrl, ctaUrl, advertiserId })
    const adSetId = await post('ad-sets', { name: slug, campaignId: campaign })
    const ad = await post('ads', { name: slug, bidMicros: booked.bid, adSetId, bannerId })
    await post(`campaigns/${campaign}/activate`, {})
    return { placement: placementId, campaign, ad }
  }
  const slug = `${name}-live`
  const running = await run(own, slug, { bid: BID })
  const yen = `${name}-yen`
  const rival = await run(other, yen, { bid: '950000000' })
  const parked = `${name}-parked`
  await run(own, parked, { bid: BID, daily: TEN_SHOWINGS })
  await untilServed(send, [slug, yen, parked])
  return {
    slug,
    type: TYPE,
    ...running,
    advertiser: own.advertiserId,
    rivalAd: rival.ad,
    parked,
    other: { slug: yen, campaign: rival.campaign },
  }
}

const TRIES_MAX = 500
const PAUSE_MS = 20

/** Changes reach decisions a moment later. Each is asked for until it comes, because asking holds money. */
async function untilServed(send: Send, slugs: readonly string[]): Promise<void> {
  for (const placement of slugs) {
    const ask = () => send('POST', '/api/v1/ads/serve', { body: { placement } })
    let tries = 0
    while ((await ask()).status !== 200) {
      if (++tries === TRIES_MAX) throw new Error('the attack’s own ads are not served')
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}
