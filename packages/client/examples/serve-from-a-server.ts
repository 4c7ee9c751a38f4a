import { createClient } from '@placard/client'

/** `node serve-from-a-server.ts https://ads.example home-hero`: ads in a page that a server renders. */
const [, , url = '', slug = ''] = process.argv

// An ad that comes too late is no ad: one try, a quarter of a second.
const placard = createClient({ url, timeoutMs: 250, triesMax: 1 })
const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/141.0' }

const served = await placard
  .call('servePlacements', { body: { slugs: [slug], userId: 'reader-7' }, headers })
  .catch(() => undefined)

for (const { headline, images, clickUrl, impressionUrl } of served?.placements[0]?.banners ?? []) {
  console.log(`<a href="${clickUrl}"><img src="${images.primary}" alt="${headline}"></a>`)
  console.log(`<img src="${impressionUrl}" alt="" hidden>`)
}
