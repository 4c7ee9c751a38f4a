import { createClient, PlacardProblem } from '@placard/client'

/** `node serve-from-a-server.ts https://ads.example home-hero`: ads in a page that a server renders. */
const [, , url = '', slug = '', timeoutMs = '250'] = process.argv

// The page does not wait for a late ad: one try of 250 ms.
const placard = createClient({ url, timeoutMs: Number(timeoutMs), triesMax: 1 })
const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/141.0' }

try {
  const body = { slugs: [slug], userId: 'reader-7' }
  const { placements } = await placard.call('servePlacements', { body, headers })
  for (const { headline, images, clickUrl, impressionUrl } of placements[0]?.banners ?? []) {
    console.log(`<a href="${clickUrl}"><img src="${images.primary}" alt="${headline}"></a>`)
    console.log(`<img src="${impressionUrl}" alt="" hidden>`)
  }
} catch (error) {
  if (!(error instanceof PlacardProblem)) throw error
  console.log(`<!-- no ad: ${error.code} -->`)
}
