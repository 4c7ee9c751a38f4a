import * as contract from '@placard/contract/tracking'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Http } from '../../../platform/http/server.ts'
import { errorName } from './progress.ts'
import { FRESH, GIF, pageOf, PUBLIC, refuseForged } from './routes.ts'
import { type LinkedReport, trackToken, type TrackingDeps, type TrackingRequest } from './track.ts'

const PICTURE = Buffer.from(GIF, 'latin1')

/** What players of films call. Each answers with a picture and counts once per showing and name. */
export function progressRoutes(http: Http, deps: TrackingDeps): void {
  stepRoute(http, deps)
  errorRoute(http, deps)
  clickCountRoute(http, deps)
  for (const url of ['/t/p/:token/:event', '/t/x/:token', '/t/k/:token']) {
    http.head(url, { config: PUBLIC, schema: { hide: true } }, (_request, reply) =>
      reply.headers(FRESH).type('image/gif').send(),
    )
  }
}

const PICTURE_SCHEMA = {
  tags: ['tracking'],
  produces: ['image/gif'],
  response: { 200: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) },
}

interface Counting {
  readonly request: TrackingRequest
  readonly reply: FastifyReply
  readonly report: LinkedReport
}

async function count(deps: TrackingDeps, { request, reply, report }: Counting) {
  refuseForged(await trackToken(deps, request, { ...report, ...pageOf(request) }))
  return reply.headers(FRESH).type('image/gif').send(PICTURE)
}

function stepRoute(http: Http, deps: TrackingDeps): void {
  http.get(
    '/t/p/:token/:event',
    {
      config: PUBLIC,
      schema: {
        ...PICTURE_SCHEMA,
        params: contract.ProgressParams,
        operationId: 'trackProgress',
        summary: 'Count a step of a film, or an event of your own, by its sealed link',
        description: 'Once per showing and name, and never billed.',
      },
    },
    (request, reply) => {
      const { token, event: name } = request.params
      const report =
        name === 'viewable'
          ? ({ kind: 'view', token } as const)
          : ({ kind: 'progress', token, name } as const)
      return count(deps, { request, reply, report })
    },
  )
}

function errorRoute(http: Http, deps: TrackingDeps): void {
  http.get(
    '/t/x/:token',
    {
      config: PUBLIC,
      schema: {
        ...PICTURE_SCHEMA,
        params: contract.TrackingParams,
        querystring: contract.FilmErrorQuery,
        operationId: 'trackFilmError',
        summary: 'Count an error of a player by the sealed link of its film',
        description: 'Once per showing and code, and never billed.',
      },
    },
    (request, reply) => {
      const { token } = request.params
      const report = { kind: 'progress', token, name: errorName(request.query.code) } as const
      return count(deps, { request, reply, report })
    },
  )
}

/** For those who open the landing page themselves. */
function clickCountRoute(http: Http, deps: TrackingDeps): void {
  http.get(
    '/t/k/:token',
    {
      config: PUBLIC,
      schema: {
        ...PICTURE_SCHEMA,
        params: contract.TrackingParams,
        operationId: 'trackClickOnly',
        summary: 'Count a click by its sealed link without going anywhere',
        description: 'For tags of other ad servers, whose click leads elsewhere.',
      },
    },
    (request, reply) => {
      const { token } = request.params
      return count(deps, { request, reply, report: { kind: 'click', token } })
    },
  )
}
