import * as contract from '@placard/contract/serving'
import { findPlacement, type Placement } from '@placard/decision-engine'
import { addLeanRoute, type LeanRequest } from '../../../platform/http/fast-lane/fast-lane.ts'
import type { Http } from '../../../platform/http/server.ts'
import { Problem } from '../../../platform/problem.ts'
import type { Switches } from '../../../platform/switches/view.ts'
import { placementProblems, siteProblems } from '../../inventory/index.ts'
import { createAdTexts } from './ad-text.ts'
import { isClosed } from './closed.ts'
import type { PlacementContent, SiteContent } from '../catalogue/content.ts'
import { type LinkShowing, linksUnder } from './links.ts'
import type { DecisionMetrics } from '../metrics.ts'
import { presentAd, presentEmpty, presentPage, presentPlacement } from './present.ts'
import type { ReaderFields, ReaderRequest, Readers } from '../readers/reader.ts'
import { type Publishers, speaksFor } from '../readers/publishers.ts'
import type { Recorder } from '../records/recorder.ts'
import { floorOf, isSeller, publisherFor } from './seller.ts'
import type { Sealer } from '../../tracking/index.ts'
import {
  type PlacementsRequest,
  type Served,
  serveAuction,
  servePage,
  servePlacements,
} from './serve.ts'
import { allOf, mapMaybe, type MaybePromise, type ServeDeps } from './ad-request.ts'

export interface ServingDeps extends ServeDeps {
  readonly readers: Readers
  readonly publishers: Publishers
  readonly recorder: Recorder
  readonly switches: Switches
  readonly metrics: DecisionMetrics
  readonly sealer: Sealer
  /**
   * The address under which browsers reach the server. Without it, the address of the request is
   * used.
   */
  readonly publicUrl?: string | undefined
}

/** The public routes that answer with ads. */
export function servingRoutes(http: Http, deps: ServingDeps): void {
  serveSlugRoute(http, deps)
  serveAdRoute(http, deps)
  void http.register(async (forTags) => {
    acceptPlainText(forTags)
    serveSlugsRoute(forTags, deps)
    servePageRoute(forTags, deps)
  })
}

/** Browsers send text/plain without a CORS preflight, so the tag uses it. */
function acceptPlainText(http: Http): void {
  http.addContentTypeParser(
    'text/plain',
    { parseAs: 'string' },
    http.getDefaultJsonParser('error', 'error'),
  )
}

const PUBLIC = {
  access: 'public',
  crossOrigin: true,
  ignoresUnknownFields: true,
  knowsCallers: true,
  shedsLoad: true,
} as const

const NO_STORE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

function serveSlugRoute(http: Http, deps: ServingDeps): void {
  const { content } = deps.catalogue
  const schema = {
    operationId: 'servePlacement',
    summary: 'Get the banners of a placement',
    tags: ['serving'],
    params: contract.ServeParams,
    querystring: contract.ServeSlugQuery,
    response: { 200: contract.ServedPlacement },
  }
  http.get(
    '/banners/serve/:slug',
    { config: PUBLIC, schema, exposeHeadRoute: true },
    (request, reply) => {
      const placement = getPlacement(deps, request.params.slug)
      void reply.headers(NO_STORE)
      if (isClosed(deps, { kind: 'slug', request }))
        return void reply.send(emptyPlacement(deps, placement))

      const isDry = isDryRequest(request)
      const { lang, userId, sessionId } = request.query
      const { accountKey } = contentOf(deps, placement)
      const reader = readerOf(deps, request, givenBy({ userId }, { accountKey, lang }))
      const matchKeys = deps.readers.matchKeysOf?.(request, { sessionId })
      const adRequest = { reader, matchKeys, isDry, placements: [placement] }
      return mapMaybe(servePlacements(deps, adRequest), (served) => {
        const view = { placement: contentOf(deps, placement), link: linkFor(deps, request) }
        void reply.send(presentPlacement(content, served[0]!, view))
        keepServed(deps, served, isDry)
      })
    },
  )
}

function serveSlugsRoute(http: Http, deps: ServingDeps): void {
  const { index, content } = deps.catalogue
  const schema = {
    operationId: 'servePlacements',
    summary: 'Get the banners of several placements at once',
    tags: ['serving'],
    body: contract.ServePlacementsRequest,
    querystring: contract.ServeQuery,
    response: { 200: contract.ServedPlacements },
  }
  http.post('/banners/serve', { config: PUBLIC, schema }, (request, reply) => {
    const { slugs } = request.body
    const placements = slugs.flatMap((slug) => findPlacement(index, slug) ?? [])
    const notFound = slugs.filter((slug) => findPlacement(index, slug) === undefined)
    void reply.headers(NO_STORE)
    if (isClosed(deps, { kind: 'slug', request, consent: request.body.consent })) {
      const empty = placements.map((placement) => emptyPlacement(deps, placement))
      return void reply.send({ placements: empty, notFound })
    }

    const isDry = isDryRequest(request)
    const matchKeys = deps.readers.matchKeysOf?.(request, request.body)
    const adRequest = (accountKey: number, own: readonly Placement[]) => {
      const given = givenBy(request.body, { accountKey, lang: request.query.lang })
      return { reader: readerOf(deps, request, given), matchKeys, isDry, placements: own }
    }
    return mapMaybe(serveByPublisher(deps, placements, adRequest), (served) => {
      const link = linkFor(deps, request)
      const answers = served.map((one, at) =>
        presentPlacement(content, one, { placement: contentOf(deps, placements[at]!), link }),
      )
      void reply.send({ placements: answers, notFound })
      keepServed(deps, served, isDry)
    })
  })
}

const ABOUT_SERVE_AD = `For one placement, or with a type only for the placements of that type of one publisher: the
caller’s own, else the one that \`publisher\` names, else the default publisher. By type an ad competes
only through a placement for which it fits completely, and the answer names that placement. 204 when
there is no ad.`

function serveAdRoute(http: Http, deps: ServingDeps): void {
  const { content } = deps.catalogue
  const textOf = createAdTexts(content)
  const schema = {
    operationId: 'serveAd',
    summary: 'Get one ad by auction',
    description: ABOUT_SERVE_AD,
    tags: ['serving'],
    body: contract.ServeAdRequest,
    querystring: contract.ServeQuery,
    response: { 200: contract.ServedAd, 204: contract.NothingServed },
  }
  addLeanRoute(http, {
    method: 'POST',
    url: '/ads/serve',
    config: PUBLIC,
    schema,
    headers: NO_STORE,
    contentType: 'application/json; charset=utf-8',
    answer(request, send) {
      const { body, principal } = request
      const placement =
        body.placement === undefined ? undefined : getPlacement(deps, body.placement)
      const publisher =
        placement === undefined
          ? publisherFor(deps.publishers, principal, body.publisher)
          : undefined
      if (isClosed(deps, { kind: 'auction', request, consent: body.consent })) return send(204)

      const isDry = isDryRequest(request)
      const seller = placement === undefined ? publisher : contentOf(deps, placement)
      const accounts = seller === undefined ? [] : [seller.accountKey]
      const given = givenBy(body, { accountKey: accounts[0], lang: request.query['lang'] })
      const adRequest = {
        reader: readerOf(deps, request, given),
        isDry,
        placement,
        publisher,
        placementType: body.placementType ?? 'feed',
        floorMicros: floorOf(deps.metrics, { principal, accounts }, body.floor),
      }
      return mapMaybe(serveAuction(deps, adRequest), (served) => {
        const link = linkFor(deps, request)
        const showsPrices = isSeller({ principal, accounts })
        const ad =
          (showsPrices ? undefined : textOf(served, link)) ??
          presentAd(content, served, { showsPrices, link })
        if (ad === undefined) send(204)
        else send(200, ad)
        keepServed(deps, [served], isDry)
      })
    },
  })
}

function servePageRoute(http: Http, deps: ServingDeps): void {
  const { content } = deps.catalogue
  const schema = {
    operationId: 'servePage',
    summary: 'Fill the slots of one page',
    description: 'No campaign and no banner twice, the largest slot first. 204 when all are empty.',
    tags: ['serving'],
    params: contract.SiteParams,
    body: contract.ServePageRequest,
    querystring: contract.ServeQuery,
    response: { 200: contract.ServedPage, 204: contract.NothingServed },
  }
  http.post('/sites/:siteId/serve', { config: PUBLIC, schema }, (request, reply) => {
    const { url, user, consent, slots } = request.body
    const site = getSite(deps, request.params.siteId)
    void reply.headers(NO_STORE)
    if (isClosed(deps, { kind: 'page', request, consent })) return void reply.code(204).send(null)

    const isDry = isDryRequest(request)
    const given = { userId: user?.id, userContext: user?.context, ...user, consent }
    const accounts = slots.map(({ placement }) => accountOf(deps, placement))
    const asked = slots.map(({ placement, floor, count }) => ({
      slug: placement,
      floorMicros: floorOf(deps.metrics, { principal: request.principal, accounts }, floor),
      bannersMax: count,
    }))
    const { accountKey } = site
    const reader = readerOf(deps, request, {
      ...givenBy(given, { accountKey, lang: request.query.lang }),
      pageUrl: url,
    })
    return mapMaybe(servePage(deps, { reader, isDry, site, url, slots: asked }), (served) => {
      const slugs = slots.map(({ placement }) => placement)
      if (served.every(({ showings }) => showings.length === 0)) void reply.code(204).send(null)
      else
        void reply.send(presentPage(content, { site, slugs, link: linkFor(deps, request) }, served))
      keepServed(deps, served, isDry)
    })
  })
}

/**
 * Decides for the placements of each publisher with that publisher's own reader: a page that asks for
 * two publishers at once learns nothing of what either knows.
 */
function serveByPublisher(
  deps: ServingDeps,
  placements: readonly Placement[],
  adRequest: (accountKey: number, own: readonly Placement[]) => PlacementsRequest,
): MaybePromise<readonly Served[]> {
  const groups = Map.groupBy(placements, (placement) => contentOf(deps, placement).accountKey)
  const answers = [...groups].map(([key, own]) => servePlacements(deps, adRequest(key, own)))
  if (answers.length === 1) return answers[0]!
  return mapMaybe(allOf(answers), (served) => {
    const byPlacement = new Map(served.flat().map((one) => [one.record.placementKey, one]))
    return placements.map(({ key }) => byPlacement.get(key)!)
  })
}

/** Records after the reply, so that no reply waits for its record. */
export function keepServed(
  { recorder, metrics }: Pick<ServingDeps, 'recorder' | 'metrics'>,
  served: readonly Served[],
  isDry: boolean,
): void {
  if (isDry) return
  for (const { record } of served) {
    recorder.record(record)
    metrics.count(record.kind, record.decision.emptyReason ?? 'filled')
    metrics.time(record.kind, record.durationMicros)
  }
}

/** HEAD, or a prefetch of a page that may never be shown. */
export function isDryRequest({
  method,
  headers,
}: Pick<LeanRequest, 'method' | 'headers'>): boolean {
  if (method === 'HEAD') return true
  const purpose = headers['sec-purpose'] ?? headers['purpose']
  return typeof purpose === 'string' && /\bprefetch\b/i.test(purpose)
}

function linkFor(
  { sealer, publicUrl }: ServingDeps,
  request: Pick<LeanRequest, 'method' | 'headers' | 'protocol' | 'host'>,
): LinkShowing | undefined {
  if (isDryRequest(request)) return undefined
  const { protocol, host, headers } = request
  const isFromPage = headers.origin !== undefined || headers.referer !== undefined
  return linksUnder(publicUrl ?? `${protocol}://${host}`, sealer, isFromPage)
}

type ReaderInput = Omit<ReaderFields, 'isTrusted'>

type ServeCaller = ReaderRequest & Pick<LeanRequest, 'principal'>

function readerOf({ readers }: ServingDeps, request: ServeCaller, given: ReaderInput) {
  const { publisherKey, userId, context, contextToken, consent, language, pageUrl } = given
  const isTrusted = speaksFor(request.principal, publisherKey)
  // Written out so that all routes build objects of one shape, which V8 reads faster.
  return readers.readerOf(request, {
    publisherKey,
    userId,
    context,
    contextToken,
    consent,
    language,
    pageUrl,
    isTrusted,
  })
}

interface RequestFields {
  readonly userId?: string | undefined
  readonly userContext?: Readonly<Record<string, unknown>> | undefined
  readonly contextToken?: string | undefined
  readonly consent?: Readonly<Record<string, unknown>> | undefined
}

interface RequestPlace {
  /** Of the publisher whose placements are requested. */
  readonly accountKey: number | undefined
  readonly lang: string | undefined
}

const givenBy = (fields: RequestFields, { accountKey, lang }: RequestPlace): ReaderInput => ({
  publisherKey: accountKey,
  userId: fields.userId,
  context: fields.userContext,
  contextToken: fields.contextToken,
  consent: fields.consent,
  language: lang,
})

/** No account has this key: the owner of an unknown slot. */
const NO_ACCOUNT = -1

const accountOf = ({ catalogue: { index, content } }: ServingDeps, slug: string): number => {
  const placement = findPlacement(index, slug)
  return (placement && content.placements.get(placement.key)?.accountKey) ?? NO_ACCOUNT
}

const WHY_NOT = 'there is none, it is off, or its site is off or has no proven domain'

function getPlacement({ catalogue }: ServingDeps, slug: string): Placement {
  const placement = findPlacement(catalogue.index, slug)
  if (placement === undefined) throw new Problem(placementProblems.notFound, `${slug}: ${WHY_NOT}`)
  return placement
}

function getSite({ catalogue }: ServingDeps, publicId: string): SiteContent {
  const site = catalogue.content.siteByPublicId.get(publicId)
  if (site === undefined || !site.isActive) throw new Problem(siteProblems.notFound, publicId)
  if (!site.isProven) throw new Problem(siteProblems.domainUnproven, site.domain)
  return site
}

const contentOf = ({ catalogue }: ServingDeps, { key }: Placement): PlacementContent =>
  catalogue.content.placements.get(key)!

const emptyPlacement = (deps: ServingDeps, placement: Placement) =>
  presentEmpty(contentOf(deps, placement), {
    decisionId: deps.ids.next(),
    now: deps.clock.now(),
  })
