import type { SiteKey } from '../data/sellers.ts'
import { html, type Markup } from './html.ts'

export interface Page {
  readonly title: string
  /** The site of the page, whose slots are filled together. */
  readonly site: SiteKey
  readonly body: Markup
}

const LINKS = [
  ['/demo', 'Shop', 'shop'],
  ['/demo/outdoor', 'Outdoor', 'shop'],
  ['/demo/cart', 'Cart', 'shop'],
  ['/demo/stories', 'Stories', 'shop'],
  ['/demo/magazine', 'Magazine', 'magazine'],
  ['/demo/film', 'Film', 'magazine'],
  ['/demo/gazette', 'Gazette', 'gazette'],
] as const satisfies readonly (readonly [string, string, SiteKey])[]

const BRANDS: Readonly<Record<SiteKey, string>> = {
  shop: 'Meridian',
  magazine: 'Meridian Magazine',
  gazette: 'Harbour Gazette',
}

/** A complete document. The tag is the one line that a publisher needs. */
export function documentOf(
  { title, site, body }: Page,
  { path, siteId }: { readonly path: string; readonly siteId: string | undefined },
): string {
  const current = LINKS.findLast(([to]) => path === to || path.startsWith(`${to}/`))
  const links = LINKS.map(([to, name, of]) => {
    if (to === current?.[0]) return html`<a href="${to}" aria-current="page">${name}</a>`
    // One host has three sites, and the crawler of one must not read the others.
    return of === site
      ? html`<a href="${to}">${name}</a>`
      : html`<a href="${to}" rel="nofollow">${name}</a>`
  })
  const brand = BRANDS[site]
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · ${brand}</title>
        <link rel="stylesheet" href="/demo/shop.css" />
        <link rel="icon" href="/demo/pictures/shoe.svg" />
        <script async src="/tag.js" data-site="${siteId ?? ''}"></script>
        <script defer src="/demo/shop.js"></script>
      </head>
      <body class="${site}">
        ${strip}
        <header>
          <a class="brand" href="/demo" rel="nofollow">${brand}</a>
          <nav aria-label="Pages">${links}</nav>
        </header>
        <main>${body}</main>
        <footer>
          A shop that sells nothing: everything here is made up, only the ads are real.
        </footer>
      </body>
    </html>`.text
}

/** Shows live what the tag does on this page. */
const strip = html`<aside class="strip" aria-label="What Placard does here">
  <b>Placard demo</b>
  <span><output id="served">0</output> served</span>
  <span><output id="shown">0</output> shown</span>
  <span><output id="seen">0</output> seen</span>
  <span><output id="clicked">0</output> clicked</span>
  <label><input type="checkbox" id="consent" /> Remember me</label>
  <label><input type="checkbox" id="tags" /> Show the tags</label>
  <a href="/" rel="nofollow">Open the console</a>
</aside>`
