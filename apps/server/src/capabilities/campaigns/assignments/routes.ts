import * as contract from '@placard/contract/assignments'
import { pageOf } from '@placard/contract/shared'
import type { FastifyRequest } from 'fastify'
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
  assignBanner,
  changeAssignment,
  getAssignment,
  listAssignments,
  presentAssignment,
  unassignBanner,
  type AssignmentTarget,
} from './operations.ts'

const READ = { access: 'assignments:read' } as const
const WRITE = { access: 'assignments:write' } as const
const LIST = '/campaigns/:campaignId/placements/:placementId/banners'
const ONE = `${LIST}/:bannerId` as const

export function assignmentRoutes(http: Http, deps: ResourceDeps): void {
  listRoute(http, deps)
  getRoute(http, deps)
  assignRoute(http, deps)
  changeRoute(http, deps)
  unassignRoute(http, deps)
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
        ...about('listAssignments', 'List the banners of a campaign on a placement, in order'),
        params: contract.LinkParams,
        querystring: contract.LinkQuery,
        response: { 200: pageOf(contract.Assignment) },
      },
    },
    (request) => {
      const { params, query } = request
      return listAssignments(db, { ...params, query, actor: actorOf(request) })
    },
  )
}

function getRoute(http: Http, { db }: ResourceDeps): void {
  http.get(
    ONE,
    {
      config: READ,
      schema: {
        ...about('getAssignment', 'Read how a banner is assigned'),
        params: contract.AssignmentParams,
        response: { 200: contract.Assignment },
      },
    },
    async (request, reply) => {
      const assignment = await getAssignment(db, targetIn(request))
      return reply.headers(etagOf(assignment)).send(presentAssignment(assignment))
    },
  )
}

function assignRoute(http: Http, deps: ResourceDeps): void {
  http.post(
    LIST,
    {
      config: WRITE,
      schema: {
        ...about('assignBanner', 'Show a banner of the campaign on the placement'),
        params: contract.LinkParams,
        body: contract.AssignBanner,
        response: { 201: contract.Assignment },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const { bannerId, ...fields } = request.body
        const target = { ...request.params, bannerId, fields, actor: actorOf(request) }
        const assignment = await assignBanner({ ...deps, db }, target)
        const body = presentAssignment(assignment)
        const location = `${pathOf(request)}/${bannerId}`
        return { status: 201, headers: { ...etagOf(assignment), location }, body }
      }),
  )
}

function changeRoute(http: Http, deps: ResourceDeps): void {
  http.patch(
    ONE,
    {
      config: WRITE,
      schema: {
        ...about('changeAssignment', 'Change the order, weight, fallback or texts of a banner'),
        params: contract.AssignmentParams,
        body: contract.PatchAssignment,
        response: { 200: contract.Assignment },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const target = { ...targetIn(request), fields: request.body }
        const assignment = await changeAssignment({ ...deps, db }, target)
        return { status: 200, headers: etagOf(assignment), body: presentAssignment(assignment) }
      }),
  )
}

function unassignRoute(http: Http, deps: ResourceDeps): void {
  http.delete(
    ONE,
    {
      config: WRITE,
      schema: {
        ...about('unassignBanner', 'Take a banner off the placement'),
        params: contract.AssignmentParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        await unassignBanner({ ...deps, db }, targetIn(request))
        return { status: 204 }
      }),
  )
}

const targetIn = (
  request: FastifyRequest & {
    params: Pick<AssignmentTarget, 'campaignId' | 'placementId' | 'bannerId'>
  },
): AssignmentTarget => ({
  ...request.params,
  actor: actorOf(request),
  expectedVersion: expectedVersionOf(request),
})
