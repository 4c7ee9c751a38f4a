import { aServingWorld, startServing } from '../../../testing/worlds/serving-world.ts'

export const KEY = { 'x-api-key': 'a key' }
export const PAGE = { origin: 'https://gazette.example' }

/** Two ads of 300 × 250 compete for a placement; the first bids more. */
export async function aMarket() {
  const world = await aServingWorld()
  const placement = await world.addPlacement({ type: 'feed', mode: 'hybrid' })
  const size = { width: 300, height: 250, ctaUrl: 'https://www.northwind.example/shoes' }
  const addBidder = async (bid: bigint, banner: object = size) => {
    const campaign = await world.addCampaign()
    await world.addCampaignPlacement(campaign, placement)
    const shown = await world.addBanner(banner)
    return { campaign, banner: shown, ad: await world.addAd(campaign, bid, shown) }
  }
  const best = await addBidder(4_000_000n)
  const second = await addBidder(2_000_000n)
  return { world, placement, best, second, addBidder }
}

export type Market = Awaited<ReturnType<typeof aMarket>>

export async function openDoor({ world }: Pick<Market, 'world'>) {
  const serving = await startServing(world)
  const bid = async (request: object, headers: Record<string, string> = PAGE) => {
    const answer = await serving.http.inject({
      method: 'POST',
      url: '/openrtb2/auction',
      payload: JSON.stringify(request),
      headers: { 'content-type': 'text/plain', ...headers },
    })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: answer.body === '' ? undefined : answer.json(),
    }
  }
  return { ...serving, bid }
}

export const anImp = (more: object = {}) => ({
  id: 'div-1',
  tagid: 'home-top',
  banner: { format: [{ w: 300, h: 250 }] },
  ...more,
})
export const aRequest = (more: object = {}) => ({ id: 'r-1', imp: [anImp()], ...more })

export const bidsOf = (body: { seatbid: readonly { bid: readonly object[] }[] }) =>
  body.seatbid.flatMap(({ bid }) => bid)
