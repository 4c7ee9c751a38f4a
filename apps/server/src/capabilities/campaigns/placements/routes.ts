import * as contract from '@placard/contract/assignments'
import { pageOf } from '@placard/contract/shared'
import { CampaignParams } from '@placard/contract/targeting'
import { Type } from 'typebox'
import { runCommand } from '../../../platform/http/command.ts'
import { pathOf } from '../../../platform/http/locations.ts'
import type { Http } from '../../../platform/http/server.ts'
import {
  actorOf,
  etagOf,
  expectedVersionOf,
  type ResourceDeps,
} from '../../../platform/resources/index.ts'
import {
  changeCampaignPlacement,
  getCampaignPlacement,
  bookPlacement,
  listCampaignPlacements,
  presentCampaignPlacement,
  removePlacement,
} from './operations.ts'

const READ = { access: 'assignments:read' } as const
const WRITE = { access: 'assignments:write' } as const
const LIST = '/campaigns/:campaignId/placements'
const ONE = `${LIST}/:placementId` as const

export function campaignPlacementRoutes(http: Http, deps: ResourceDeps): void {
  listRoute(http, deps)
  getRoute(http, deps)
  bookRoute(http, deps)
  changeRoute(http, deps)
  removeRoute(http, deps)
}

const about = (operationId: string, summary: string) => ({
  operationId,
  summary,
  tags: ['assignments'],
})

function listRoute(http: Http, { db }: ResourceDeps): void {
  http.get(
    LIST,
    {
      config: READ,
      schema: {
        ...about('listCampaignPlacements', 'List the placements that a campaign runs on'),
        params: CampaignParams,
        querystring: contract.LinkQuery,
        response: { 200: pageOf(contract.PlacementLink) },
      },
    },
    (request) => {
      const { params, query } = request
      return listCampaignPlacements(db, { ...params, query, actor: actorOf(request) })
    },
  )
}

function getRoute(http: Http, { db }: ResourceDeps): void {
  http.get(
    ONE,
    {
      config: READ,
      schema: {
        ...about('getCampaignPlacement', 'Read how a campaign runs on a placement'),
        params: contract.LinkParams,
        response: { 200: contract.PlacementLink },
      },
    },
    async (request, reply) => {
      const booking = await getCampaignPlacement(db, { ...request.params, actor: actorOf(request) })
      return reply.headers(etagOf(booking)).send(presentCampaignPlacement(booking))
    },
  )
}

function bookRoute(http: Http, deps: ResourceDeps): void {
  http.post(
    LIST,
    {
      config: WRITE,
      schema: {
        ...about('linkCampaignPlacement', 'Let a campaign run on a placement'),
        params: CampaignParams,
        body: contract.LinkPlacement,
        response: { 201: contract.PlacementLink },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const { params, body } = request
        const target = { ...params, ...body, actor: actorOf(request) }
        const booking = await bookPlacement({ ...deps, db }, target)
        const location = `${pathOf(request)}/${target.placementId}`
        return {
          status: 201,
          headers: { ...etagOf(booking), location },
          body: presentCampaignPlacement(booking),
        }
      }),
  )
}

function changeRoute(http: Http, deps: ResourceDeps): void {
  http.patch(
    ONE,
    {
      config: WRITE,
      schema: {
        ...about('changeCampaignPlacement', 'Switch a campaign on or off on a placement'),
        params: contract.LinkParams,
        body: contract.PatchPlacementLink,
        response: { 200: contract.PlacementLink },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const booking = await changeCampaignPlacement(
          { ...deps, db },
          {
            ...request.params,
            ...request.body,
            actor: actorOf(request),
            expectedVersion: expectedVersionOf(request),
          },
        )
        return { status: 200, headers: etagOf(booking), body: presentCampaignPlacement(booking) }
      }),
  )
}

function removeRoute(http: Http, deps: ResourceDeps): void {
  http.delete(
    ONE,
    {
      config: WRITE,
      schema: {
        ...about(
          'unlinkCampaignPlacement',
          'Take a campaign and its assigned banners off a placement',
        ),
        params: contract.LinkParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        await removePlacement(
          { ...deps, db },
          {
            ...request.params,
            actor: actorOf(request),
            expectedVersion: expectedVersionOf(request),
          },
        )
        return { status: 204 }
      }),
  )
}
