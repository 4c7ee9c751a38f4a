import { expect, test } from 'vitest'
import { sizeOf, sniffType } from '../../../server/src/capabilities/creatives/assets/asset.ts'
import { BANNERS, SIZES, type DemoBanner } from './banners.ts'
import { ADVERTISERS, type AdvertiserKey } from './buyers.ts'
import { drawAdvert } from './picture.ts'

const pictures = (
  Object.entries(BANNERS) as [AdvertiserKey, Readonly<Record<string, DemoBanner>>][]
).flatMap(([key, banners]) =>
  Object.entries(banners).map(([name, banner]) => ({
    name: `${key}.${name}`,
    size: SIZES[banner.size],
    svg: drawAdvert({ ...ADVERTISERS[key], ...banner }, SIZES[banner.size]),
  })),
)

test.each(pictures)(
  '$name is an SVG of its size that runs and fetches nothing',
  async (picture) => {
    const bytes = Buffer.from(picture.svg)

    expect(await sniffType(bytes)).toBe('image/svg+xml')
    expect(sizeOf(bytes)).toEqual(picture.size)
    expect(picture.svg).not.toMatch(
      /<script|<foreignObject|\son\w+=|href|url\((?!#)|NaN|undefined/i,
    )
    expect(openTags(picture.svg)).toEqual([])
  },
)

test('text that looks like markup is escaped', () => {
  const look = ADVERTISERS.pedal
  const svg = drawAdvert({ ...look, headline: '<script>&"', offer: '"</svg>' }, SIZES.box)

  expect(svg).toContain('&lt;script&gt;&amp;&quot;')
  expect(svg.match(/<\/svg>/g)).toHaveLength(1)
})

/** Unclosed elements: enough to find XML that would not load. */
function openTags(xml: string): string[] {
  const open: string[] = []
  for (const [, closing, name, selfClosing] of xml.matchAll(/<(\/?)([a-zA-Z]+)[^>]*?(\/?)>/g)) {
    if (selfClosing) continue
    if (!closing) open.push(name!)
    else if (open.at(-1) === name) open.pop()
    else return [`unexpected </${name}>`]
  }
  return open
}
