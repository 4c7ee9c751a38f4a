import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { drawMotif, isMotif } from '../data/picture.ts'
import { type DemoSite, SITES } from '../data/sellers.ts'
import type { Http } from '../../../server/src/platform/http/server.ts'
import { readArticles } from './article.ts'
import { documentOf, type Page } from './page.ts'
import { landing, missing, pagesOf } from './pages.ts'

/** Stricter than most publishers' policies. Pictures may come from anywhere. */
const POLICY = [
  "default-src 'self'",
  'img-src * data:',
  'media-src *',
  "style-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'cache-control': 'no-cache',
  // Sends the referrer to our own click route and to nobody else.
  'referrer-policy': 'same-origin',
}

export interface ShopDeps {
  /** Public id of the site with this domain, and with this seed if it has one. */
  findSiteId(site: DemoSite): Promise<string | undefined>
}

const hidden = { config: { access: 'public' } as const, schema: { hide: true } }

/** A publisher's pages with every layout, so that newcomers see working ads. */
export async function demoShop(http: Http, deps: ShopDeps): Promise<void> {
  const pages = pagesOf(await readArticles())
  const show = async (page: Page, path: string) =>
    documentOf(page, { path, siteId: await deps.findSiteId(SITES[page.site]) })

  http.get('/demo', hidden, async (_request, reply) =>
    reply
      .headers(HEADERS)
      .type('text/html')
      .send(await show(pages.get('/demo')!, '/demo')),
  )
  http.get('/demo/*', hidden, async (request, reply) => {
    const at = new URL(request.url, 'http://demo.example').pathname.replace(/\/+$/, '')
    const page = pages.get(at)
    return reply
      .code(page ? 200 : 404)
      .headers(HEADERS)
      .type('text/html')
      .send(await show(page ?? missing, at))
  })
  http.get(
    '/demo/landing',
    { ...hidden, schema: { hide: true, querystring: Type.Object({ to: Type.String() }) } },
    async ({ query }, reply) =>
      reply
        .headers(HEADERS)
        .type('text/html')
        .send(await show(landing(query.to), '/demo')),
  )
  await fileRoutes(http)
}

const FILES = {
  'shop.css': 'text/css',
  'shop.js': 'text/javascript',
  'film.js': 'text/javascript',
} as const

async function fileRoutes(http: Http): Promise<void> {
  for (const [name, type] of Object.entries(FILES)) {
    const text = await readFile(path.join(import.meta.dirname, name), 'utf8')
    http.get(`/demo/${name}`, hidden, (_request, reply) =>
      reply.header('cache-control', 'no-cache').type(`${type}; charset=utf-8`).send(text),
    )
  }
  http.get(
    '/demo/pictures/:motif.svg',
    { ...hidden, schema: { hide: true, params: Type.Object({ motif: Type.String() }) } },
    ({ params: { motif } }, reply) =>
      isMotif(motif)
        ? reply.type('image/svg+xml').send(drawMotif(motif))
        : reply.code(404).type('text/plain').send('No such picture'),
  )
}

/** The addresses of the demo's advertisers do not exist, so a click in the shop leads to a page of the shop. */
export function keepClicksHere(http: Http): void {
  http.addHook('onSend', async (request, reply) => {
    const to = reply.getHeader('location')
    if (reply.statusCode !== 302 || typeof to !== 'string' || !comesFromShop(request)) return
    if (new URL(to).hostname.endsWith('.example')) {
      void reply.header('location', `/demo/landing?to=${encodeURIComponent(to)}`)
    }
  })
}

function comesFromShop(request: Pick<FastifyRequest, 'host' | 'headers'>): boolean {
  const { referer } = request.headers
  if (referer === undefined || !URL.canParse(referer)) return false
  const { host, pathname } = new URL(referer)
  return host === request.host && pathname.startsWith('/demo')
}
