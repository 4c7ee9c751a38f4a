import * as contract from '@placard/contract/vast'
import { findPlacement, type Placement } from '@placard/decision-engine'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Http } from '../../../platform/http/server.ts'
import { Problem } from '../../../platform/problem.ts'
import { mapMaybe } from '../../decisions/index.ts'
import { placementProblems } from '../../inventory/index.ts'
import { GIF } from '../../tracking/index.ts'
import { DOOR_HEADERS, DOOR_ROUTE, type OpenDoor } from '../shared/door.ts'
import { answerAgain, answerPlayer, EMPTY_ERROR_PATH, type VastDeps } from './answer.ts'
import { questionOf, versionOf } from './question.ts'
import { vmapDocument } from './vmap.ts'

/** VAST and VMAP for video players. */
export function vastRoutes(http: Http, deps: VastDeps): void {
  vastRoute(http, deps)
  againRoute(http, deps)
  emptyErrorRoute(http, deps)
  vmapRoute(http, deps)
}

const XML = 'application/xml; charset=utf-8'
const XML_SCHEMA = {
  tags: ['serving'],
  produces: ['application/xml'],
  response: { 200: contract.XmlDocument },
}

const sendXml = (reply: FastifyReply, xml: string): void =>
  void reply.headers(DOOR_HEADERS).type(XML).send(xml)

const ABOUT_VAST = `The document is empty when there is no film for the player. A field that is still a macro, such as
\`[WIDTH]\`, \`%%WIDTH%%\` or \`{{width}}\`, says nothing. HEAD holds and records nothing.`

function vastRoute(http: Http, deps: VastDeps): void {
  const schema = {
    ...XML_SCHEMA,
    operationId: 'serveVast',
    summary: 'Get a film for a video player, as VAST',
    description: ABOUT_VAST,
    params: contract.VastParams,
    querystring: contract.VastQuery,
  }
  http.get(
    '/vast/:slug',
    { config: DOOR_ROUTE, schema, exposeHeadRoute: true },
    (request, reply) => {
      const placement = placementOf(deps.door, request.params.slug)
      const call = { caller: request, placement, question: questionOf(request.query) }
      return mapMaybe(answerPlayer(deps, call), ({ xml, keep }) => {
        sendXml(reply, xml)
        keep()
      })
    },
  )
}

function placementOf({ index }: OpenDoor, slug: string): Placement {
  const placement = findPlacement(index, slug)
  if (placement === undefined) throw new Problem(placementProblems.notFound, slug)
  return placement
}

const ABOUT_AGAIN = `The film, its price and its events stay what they were. After the token expired the document is
empty.`

function againRoute(http: Http, deps: VastDeps): void {
  const schema = {
    ...XML_SCHEMA,
    operationId: 'serveVastAgain',
    summary: 'Get the film of a showing once more, as VAST',
    description: ABOUT_AGAIN,
    params: contract.ShowingParams,
    querystring: contract.ShowingQuery,
  }
  http.get(
    '/vast/d/:token',
    { config: DOOR_ROUTE, schema, exposeHeadRoute: true },
    (request, reply) => {
      const { token: eventToken } = request.params
      const version = versionOf(request.query.v)
      sendXml(reply, answerAgain(deps, { caller: request, eventToken, version }))
    },
  )
}

const PICTURE = Buffer.from(GIF, 'latin1')

/** The `Error` of a document without an ad. */
function emptyErrorRoute(http: Http, { door }: VastDeps): void {
  const schema = {
    tags: ['tracking'],
    operationId: 'trackEmptyVast',
    summary: 'Count that a player got no film',
    produces: ['image/gif'],
    response: { 200: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) },
  }
  http.get(
    EMPTY_ERROR_PATH,
    { config: DOOR_ROUTE, schema, exposeHeadRoute: true },
    (request, reply) => {
      if (!door.isDry(request)) door.countEmpty('told-by-player')
      void reply.headers(DOOR_HEADERS).type('image/gif').send(PICTURE)
    },
  )
}

const ABOUT_VMAP = `Each break leads to \`/vast/{slug}\` with the same query, and gets its films when it comes.`

function vmapRoute(http: Http, { door }: VastDeps): void {
  const schema = {
    ...XML_SCHEMA,
    operationId: 'serveVmap',
    summary: 'Get the breaks of a film, as VMAP',
    description: ABOUT_VMAP,
    params: contract.VastParams,
    querystring: contract.VmapQuery,
  }
  http.get(
    '/vmap/:slug',
    { config: DOOR_ROUTE, schema, exposeHeadRoute: true },
    (request, reply) => {
      const { slug } = placementOf(door, request.params.slug)
      const address = `${door.addressFor(request)}/vast/${encodeURIComponent(slug)}`
      sendXml(reply, vmapDocument(address, request.query))
    },
  )
}
