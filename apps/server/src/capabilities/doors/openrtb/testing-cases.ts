import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { BannerContent } from '../../decisions/index.ts'
import { wholeUrl } from '../shared/addresses.ts'
import type { MediaShowing } from './media.ts'

/** Cases as data: `cases/<name>.json` documents the mapping, and the tests hold it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each test knows the shape of its cases
export const readCases = <Case>(name: string): readonly (Case & { readonly name: string })[] =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, 'cases', `${name}.json`), 'utf8'))

export const aBanner = (given: Partial<BannerContent> = {}): BannerContent => ({
  publicId: 'b',
  advertiserKey: 1,
  format: 'single_image',
  adProduct: null,
  sizes: ['300x250'],
  description: null,
  headline: 'Red shoes',
  subheadline: null,
  ctaLabel: null,
  landingUrl: 'https://www.northwind.example/shoes',
  ctaOpenNewTab: true,
  utm: { source: null, medium: null, campaign: null, content: null },
  bgColor: null,
  images: { primary: '/api/v1/assets/1/file', alt: null, mobile: null, variants: null },
  videoUrl: null,
  html: null,
  placeholderUrl: null,
  ...given,
})

export const links = {
  address: 'https://ads.example',
  impressionUrl: 'https://ads.example/t/i/one',
  clickUrl: 'https://ads.example/t/c/two',
  eventToken: 'one',
}

export const aShowing = (
  banner: BannerContent,
  given: Partial<MediaShowing> = {},
): MediaShowing => ({
  banner,
  advertiser: 'Northwind',
  landingUrl: banner.landingUrl,
  links,
  filmAdFor: () => undefined,
  wholeUrl: (url) => wholeUrl(links.address, url),
  fillMacros: (markup) => markup.replaceAll('{clickUrl}', links.clickUrl),
  ...given,
})
