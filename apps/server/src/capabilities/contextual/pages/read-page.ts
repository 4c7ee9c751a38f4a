import { Readability } from '@mozilla/readability'
import { DOMParser, parseHTML } from 'linkedom'
import { TEXT_CHARACTERS_MAX } from '../classify/classifier.ts'

/** The text of a page and its links. */
export interface ReadPage {
  readonly title: string
  readonly text: string
  readonly links: readonly string[]
  /** The page itself asks not to be indexed or followed. */
  readonly isUnwanted: boolean
  readonly canonical: string | undefined
}

const TITLE_CHARACTERS_MAX = 300
const LINKS_MAX = 2_000
/** Hand-written pages are less than 60 levels deep; parsing is quadratic in the depth. */
const DEPTH_MAX = 256

/** Extracts the text that a person would read: no menus, footers or scripts. */
export function readPage(html: string, url: string): ReadPage {
  const { document } = parseHTML(html)
  refuseDeep(document)
  const robots = document.querySelector('meta[name="robots" i]')?.getAttribute('content') ?? ''
  const links = [...document.querySelectorAll('a[href]')]
    .filter((link) => !/\bnofollow\b/i.test(link.getAttribute('rel') ?? ''))
    .slice(0, LINKS_MAX)
    .flatMap((link) => absolute(link.getAttribute('href'), url))
  const title = document.querySelector('title')?.textContent ?? ''
  const description =
    document.querySelector('meta[name="description" i]')?.getAttribute('content') ?? ''
  const canonical = document.querySelector('link[rel="canonical" i]')?.getAttribute('href')
  const main = new Readability(document as never, { charThreshold: 0 }).parse()
  const words = main?.textContent ?? document.body?.textContent ?? ''
  return {
    title: tidy(title).slice(0, TITLE_CHARACTERS_MAX),
    text: tidy(`${description} ${words}`).slice(0, TEXT_CHARACTERS_MAX),
    links: /\bnofollow\b/i.test(robots) ? [] : links,
    isUnwanted: /\b(noindex|none)\b/i.test(robots),
    canonical: absolute(canonical ?? null, url)[0],
  }
}

interface Nested {
  readonly children: Iterable<Nested>
}

function refuseDeep(document: Nested): void {
  let level = [...document.children]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > DEPTH_MAX) throw new Error(`Its elements are nested more than ${DEPTH_MAX} deep.`)
    level = level.flatMap((element) => [...element.children])
  }
}

const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

function absolute(href: string | null, base: string): string[] {
  const url = href === null ? null : URL.parse(href, base)
  return url === null || !/^https?:$/.test(url.protocol) ? [] : [url.href]
}

const LOCATIONS_MAX = 50_000

export interface Sitemap {
  readonly pages: readonly string[]
  /** Sitemaps that this one names. */
  readonly sitemaps: readonly string[]
}

export function readSitemap(xml: string): Sitemap {
  const document = new DOMParser().parseFromString(xml, 'text/xml')
  refuseDeep(document)
  const locations = (parent: string) =>
    [...document.querySelectorAll(`${parent} > loc`)]
      .slice(0, LOCATIONS_MAX)
      .flatMap((found) => absolute((found.textContent ?? '').trim(), 'https://none.invalid/'))
  return { pages: locations('url'), sitemaps: locations('sitemap') }
}
