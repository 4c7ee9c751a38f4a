import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fixedClock, seededRandom } from '../../../testing/fixed.ts'
import { idsFrom } from '../../../platform/ids.ts'
import { createAdTexts } from './ad-text.ts'
import { type BannerContent, Content } from '../catalogue/content.ts'
import type { LinkShowing } from './links.ts'
import { presentAd } from './present.ts'
import { aDecision, aWinner, recordsFrom } from '../records/testing-records.ts'
import type { Served } from './serve.ts'

const aRecord = recordsFrom(idsFrom({ clock: fixedClock(), random: seededRandom() }))

const served = (winner = aWinner()): Served => ({
  record: aRecord({ decision: aDecision({ winners: [winner] }) }),
  showings: [{ winner, reservation: undefined, hold: undefined }],
})

const aBanner = (banner: Partial<BannerContent> = {}): BannerContent => ({
  publicId: 'b',
  advertiserKey: 1,
  format: 'single_image',
  adProduct: null,
  sizes: [],
  description: null,
  headline: 'A',
  subheadline: null,
  ctaLabel: null,
  landingUrl: 'https://shop.example/',
  ctaOpenNewTab: true,
  utm: { source: null, medium: null, campaign: null, content: null },
  bgColor: null,
  placeholderUrl: null,
  images: { primary: 'https://cdn.example/a.png', alt: null, mobile: null, variants: null },
  videoUrl: null,
  html: null,
  ...banner,
})

function aContent(banner: BannerContent): Content {
  const { key, bannerKey, campaignKey } = aWinner()
  const content = new Content()
  content.ads.set(key, { publicId: 'a', campaignKey: campaignKey!, bannerKey, bidMicros: 1 })
  content.banners.set(bannerKey, banner)
  return content
}

const linkUnder =
  (address: string): LinkShowing =>
  () => ({ impressionUrl: `${address}/t/i/x`, clickUrl: `${address}/t/c/x`, eventToken: 'x' })

const sent = (text: string | undefined) => text && Buffer.from(text, 'latin1').toString()

test('the assembled text equals the JSON of presentAd, whatever characters others put into it', () => {
  const words = fc.option(fc.string({ unit: 'binary' }), { nil: null })
  fc.assert(
    fc.property(
      words,
      words,
      fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
      (headline, description, address) => {
        const content = aContent(aBanner({ headline, description }))
        const link = address === undefined ? undefined : linkUnder(address)
        const one = served()

        const text = createAdTexts(content)(one, link)

        const plain = presentAd(content, one, { showsPrices: false, link })
        expect(sent(text)).toBe(Buffer.from(JSON.stringify(plain)).toString())
      },
    ),
  )
})

test('a changed banner, ad or campaign is written anew', () => {
  const content = aContent(aBanner())
  const textOf = createAdTexts(content)
  const { key, bannerKey, campaignKey } = aWinner()
  const sentAd = () => JSON.parse(sent(textOf(served(), undefined))!) as Record<string, unknown>

  expect(sentAd()).toMatchObject({ adId: 'a', headline: 'A', campaignId: null })
  content.banners.set(bannerKey, aBanner({ headline: 'B' }))
  expect(sentAd()).toMatchObject({ headline: 'B' })
  content.ads.set(key, { ...content.ads.get(key)!, publicId: 'c' })
  expect(sentAd()).toMatchObject({ adId: 'c' })
  content.campaigns.set(campaignKey!, { publicId: 'd' } as never)
  expect(sentAd()).toMatchObject({ campaignId: 'd' })
})

test('a booking, an empty answer and a deleted banner are left to presentAd', () => {
  const content = aContent(aBanner())
  const textOf = createAdTexts(content)
  const { bannerKey } = aWinner()

  expect(textOf(served(aWinner({ source: 'booking' })), undefined)).toBeUndefined()
  expect(textOf({ ...served(), showings: [] }, undefined)).toBeUndefined()
  content.banners.delete(bannerKey)
  expect(textOf(served(), undefined)).toBeUndefined()
})
