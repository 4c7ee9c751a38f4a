import * as contract from '@placard/contract/contextual'
import { Type } from 'typebox'
import { runCommand } from '../../platform/http/command.ts'
import type { Http } from '../../platform/http/server.ts'
import { actorOf } from '../../platform/resources/index.ts'
import {
  openUpdateStream,
  type UpdateStreamDeps,
} from '../../platform/live-updates/update-stream.ts'
import type { Taxonomy } from './classify/taxonomy.ts'
import { listBuyers } from './auction/operations-buyers.ts'
import {
  addPage,
  type ContextualDeps,
  correctPage,
  getCrawl,
  getPage,
  listPages,
  orderCrawl,
  takeCorrectionBack,
} from './pages/operations-pages.ts'
import { getRanker } from './serving/operations-ranker.ts'

/** Pages of sites and what they are about. The caller sets the prefix. */
export function contextualRoutes(http: Http, deps: ContextualDeps & UpdateStreamDeps): void {
  pageRoutes(http, deps)
  buyerRoutes(http, deps)
  rankerRoute(http, deps)
  correctionRoutes(http, deps)
  crawlRoutes(http, deps)
  categoryRoutes(http, deps)
  liveUpdatesRoute(http, deps)
}

function liveUpdatesRoute(http: Http, deps: UpdateStreamDeps): void {
  const open = new Set<{ end(): unknown }>()
  http.addHook('preClose', async () => {
    for (const stream of open) stream.end()
  })
  http.get(
    '/news',
    {
      config: { access: 'sites:read' },
      schema: {
        ...described(
          'followNews',
          'Stream changes on your sites as they happen: approvals and pages',
        ),
        querystring: contract.NewsQuery,
        response: {
          200: Type.Any({ description: 'Server-sent events: an `event`, and JSON in `data`' }),
        },
      },
    },
    async (request, reply) => {
      const { seconds } = request.query
      const stream = openUpdateStream(deps, { viewer: actorOf(request).principal, seconds })
      open.add(stream)
      stream.once('close', () => open.delete(stream))
      return reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(stream)
    },
  )
}

const described = (operationId: string, summary: string) => ({
  operationId,
  summary,
  tags: ['sites'],
})

function pageRoutes(http: Http, deps: ContextualDeps): void {
  http.get(
    '/sites/:siteId/pages',
    {
      config: { access: 'sites:read' },
      schema: {
        ...described('listPages', 'List the pages of a site and what they are about'),
        params: contract.SitePagesParams,
        querystring: contract.PagesQuery,
        response: { 200: contract.SitePages },
      },
    },
    (request) =>
      listPages(deps, { ...request.params, actor: actorOf(request), query: request.query }),
  )
  http.post(
    '/sites/:siteId/pages',
    {
      config: { access: 'sites:write' },
      schema: {
        ...described('createPage', 'Queue a page to be read before its first reader opens it'),
        params: contract.SitePagesParams,
        body: contract.CreatePage,
        response: { 201: contract.SitePage },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const target = { ...request.params, ...request.body, actor: actorOf(request) }
        return { status: 201, body: await addPage({ ...deps, db }, target) }
      }),
  )
  http.get(
    '/sites/:siteId/pages/:pageId',
    {
      config: { access: 'sites:read' },
      schema: {
        ...described('getPage', 'Get one page of a site'),
        params: contract.SitePageParams,
        response: { 200: contract.SitePage },
      },
    },
    (request) => getPage(deps, { ...request.params, actor: actorOf(request) }),
  )
}

function rankerRoute(http: Http, deps: ContextualDeps): void {
  http.get(
    '/sites/:siteId/ranker',
    {
      config: { access: 'sites:read' },
      schema: {
        ...described(
          'getSiteRanker',
          'Get how well categories do on a site, and the effect on the last choices',
        ),
        params: contract.SitePagesParams,
        response: { 200: contract.SiteRanker },
      },
    },
    (request) => getRanker(deps, { ...request.params, actor: actorOf(request) }),
  )
}

function buyerRoutes(http: Http, deps: ContextualDeps): void {
  http.get(
    '/sites/:siteId/pages/:pageId/buyers',
    {
      config: { access: 'sites:read' },
      schema: {
        ...described('getPageBuyers', 'List who may buy a page, and why others may not'),
        params: contract.SitePageParams,
        response: { 200: contract.PageBuyers },
      },
    },
    (request) => listBuyers(deps, { ...request.params, actor: actorOf(request) }),
  )
}

function correctionRoutes(http: Http, deps: ContextualDeps): void {
  const path = '/sites/:siteId/pages/:pageId/categories'
  http.put(
    path,
    {
      config: { access: 'sites:write' },
      schema: {
        ...described('correctPage', 'Correct what a page is about; this overrides the classifier'),
        params: contract.SitePageParams,
        body: contract.CorrectPage,
        response: { 200: contract.SitePage },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const target = { ...request.params, ...request.body, actor: actorOf(request) }
        return { status: 200, body: await correctPage({ ...deps, db }, target) }
      }),
  )
  http.delete(
    path,
    {
      config: { access: 'sites:write' },
      schema: {
        ...described(
          'uncorrectPage',
          'Take a correction back; the classifier judges the page again',
        ),
        params: contract.SitePageParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        await takeCorrectionBack({ ...deps, db }, { ...request.params, actor: actorOf(request) })
        return { status: 204 }
      }),
  )
}

function crawlRoutes(http: Http, deps: ContextualDeps): void {
  const path = '/sites/:siteId/crawl'
  http.get(
    path,
    {
      config: { access: 'sites:read' },
      schema: {
        ...described('getCrawl', 'Get when a site was crawled last, and how it went'),
        params: contract.SitePagesParams,
        response: { 200: contract.Crawl },
      },
    },
    (request) => getCrawl(deps, { ...request.params, actor: actorOf(request) }),
  )
  http.post(
    path,
    {
      config: { access: 'sites:write' },
      schema: {
        ...described('crawlSite', 'Crawl a site now'),
        params: contract.SitePagesParams,
        response: { 202: contract.Crawl },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const target = { ...request.params, actor: actorOf(request) }
        return { status: 202, body: await orderCrawl({ ...deps, db }, target) }
      }),
  )
}

function categoryRoutes(http: Http, { taxonomy, products }: ContextualDeps): void {
  const items = listCategories(taxonomy)
  const adProducts = listCategories(products)
  http.get(
    '/ad-products',
    {
      config: { access: 'references:read' },
      schema: {
        ...described('listAdProducts', 'List the IAB Ad Product Taxonomy 2.0'),
        tags: ['references'],
        response: { 200: contract.AdProducts },
      },
    },
    async () => ({ items: adProducts }),
  )
  http.get(
    '/content-categories',
    {
      config: { access: 'references:read' },
      schema: {
        ...described('listContentCategories', 'List the IAB Content Taxonomy 3.1'),
        tags: ['references'],
        response: { 200: contract.ContentCategories },
      },
    },
    async () => ({ items }),
  )
}

const listCategories = ({ categories }: Taxonomy) =>
  [...categories.values()].map((category) => ({ ...category, parentId: category.parentId ?? null }))
