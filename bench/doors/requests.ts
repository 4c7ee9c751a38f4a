import type { Dice } from '../engine/dice.ts'
import { type RequestMix, serveRequest, type WrkRequest } from '../serve/requests.ts'

/** Doors by the name of their figure; each asks for the same placements as `POST /ads/serve`. */
export const DOOR_REQUESTS = {
  openrtb: (dice, mix) => bidRequest(dice, mix, 1),
  openrtb10: (dice, mix) => bidRequest(dice, mix, 10),
  vast: (dice, mix) => {
    const { headers, body } = serveRequest(dice, mix)
    const { placement, userId } = JSON.parse(body)
    return { method: 'GET', path: `/vast/${placement}?uid=${userId}`, headers }
  },
} satisfies Record<string, (dice: Dice, mix: RequestMix) => WrkRequest>

/** As Prebid's server-to-server module sends it: plain text, from a page, with consent said. */
function bidRequest(dice: Dice, mix: RequestMix, imps: number): WrkRequest {
  const { headers, body } = serveRequest(dice, mix)
  const { userId, url } = JSON.parse(body)
  const imp = Array.from({ length: imps }, (_, at) => {
    const { placement } = JSON.parse(serveRequest(dice, mix).body)
    return {
      id: `div-${at}`,
      banner: { topframe: 1, format: [300, 728].map((w) => ({ w, h: w === 300 ? 250 : 90 })) },
      secure: 1,
      ext: { prebid: { adunitcode: `div-${at}`, bidder: { placard: { placement } } } },
    }
  })
  const request = {
    id: userId,
    imp,
    site: { domain: 'news.example', page: url, ref: 'https://search.example/?q=shoes' },
    device: { w: 1_280, h: 800, dnt: 0, language: 'en' },
    user: { id: userId },
    regs: { coppa: 0, ext: { gdpr: 0 } },
    source: { tid: userId },
    test: 0,
    tmax: 1_000,
    ext: {
      prebid: { channel: { name: 'pbjs', version: '11' }, targeting: { includewinners: true } },
    },
  }
  return {
    path: '/openrtb2/auction',
    headers: [
      ...headers.filter((header) => !header.startsWith('Content-Type')),
      'Content-Type: text/plain',
      'Origin: https://news.example',
    ],
    body: JSON.stringify(request),
  }
}
