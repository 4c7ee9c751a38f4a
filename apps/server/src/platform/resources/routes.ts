import { type TObject, Type } from 'typebox'
import { ProposalMade } from '@placard/contract/proposals'
import { pageOf, Uuid } from '@placard/contract/shared'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../http/access.ts'
import { runCommand, type Answer } from '../http/command.ts'
import type { Http } from '../http/server.ts'
import type { Database } from '../database/connect.ts'
import { present, type Values } from './codec.ts'
import { guardedIn, PROPOSAL } from './guarded.ts'
import {
  createRow,
  getRow,
  listRows,
  patchRow,
  removeRow,
  restoreRow,
  withFigures,
} from './operations.ts'
import type { Actor, Resource, ResourceDeps } from './resource.ts'

export type ResourceAction = 'list' | 'create' | 'get' | 'patch' | 'delete' | 'restore'

/** The routes every resource has; special ones are added beside them. */
export function resourceRoutes(
  http: Http,
  deps: ResourceDeps,
  { resource, actions }: { resource: Resource; actions?: readonly ResourceAction[] },
): void {
  const all = Object.keys(ROUTES) as ResourceAction[]
  const possible = resource.table.deletedAt ? all : all.filter((action) => action !== 'restore')
  for (const action of actions ?? possible) ROUTES[action](http, deps, resource)
}

type AddRoute = (http: Http, deps: ResourceDeps, resource: Resource) => void

const ROUTES: Record<ResourceAction, AddRoute> = {
  list(http, deps, resource) {
    http.get(
      pathOf(resource),
      {
        config: { access: `${resource.permission}:read` },
        schema: {
          ...about(resource, `list${pascal(resource.plural)}`, `List ${resource.plural}`),
          querystring: resource.query,
          response: { 200: pageOf(resource.view) },
        },
      },
      (request) => listRows(deps, resource, { query: request.query, scope: callerOf(request) }),
    )
  },

  create(http, deps, resource) {
    http.post(
      pathOf(resource),
      {
        config: { access: `${resource.permission}:write` },
        schema: {
          ...about(resource, `create${pascal(resource.noun)}`, `Create ${withArticle(resource)}`),
          body: resource.create,
          response: { 201: changedView(resource, resource.create) },
        },
      },
      (request, reply) =>
        changeRow(deps, resource, {
          request,
          reply,
          status: 201,
          change: (deps, actor) => createRow(deps, resource, { body: request.body, actor }),
        }),
    )
  },

  get(http, deps, resource) {
    http.get(
      onePathOf(resource),
      {
        config: { access: `${resource.permission}:read` },
        schema: {
          ...about(resource, `get${pascal(resource.noun)}`, `Read ${withArticle(resource)}`),
          params: paramsOf(resource),
          response: { 200: resource.view },
        },
      },
      async (request, reply) => {
        const record = await getRow(deps.db, resource, {
          publicId: idIn(request, resource),
          actor: actorOf(request),
        })
        const [shown] = await withFigures(deps, resource, [record])
        return reply.headers(etagOf(record)).send(present(resource, shown!))
      },
    )
  },

  patch(http, deps, resource) {
    http.patch(
      onePathOf(resource),
      {
        config: { access: `${resource.permission}:write` },
        schema: {
          ...about(resource, `change${pascal(resource.noun)}`, `Change ${withArticle(resource)}`),
          params: paramsOf(resource),
          body: resource.patch,
          response: { 200: changedView(resource, resource.patch) },
        },
      },
      (request, reply) =>
        changeRow(deps, resource, {
          request,
          reply,
          change: (deps) =>
            patchRow(deps, resource, {
              ...targetOf(request, resource),
              body: request.body,
            }),
        }),
    )
  },

  delete(http, deps, resource) {
    http.delete(
      onePathOf(resource),
      {
        config: { access: `${resource.permission}:write` },
        schema: {
          ...about(resource, `delete${pascal(resource.noun)}`, `Delete ${withArticle(resource)}`),
          params: paramsOf(resource),
          response: { 204: Type.Null() },
        },
      },
      (request, reply) =>
        runCommand(deps, { request, reply }, async (db) => {
          await removeRow({ ...deps, db }, resource, targetOf(request, resource))
          return { status: 204 }
        }),
    )
  },

  restore(http, deps, resource) {
    actionRoute(http, deps, {
      resource,
      method: 'POST',
      action: 'restore',
      summary: `Restore a deleted ${resource.noun}`,
      change: (deps, request) => restoreRow(deps, resource, targetOf(request, resource)),
    })
  },
}

export interface ActionRoute {
  readonly resource: Resource
  readonly method: 'POST' | 'PATCH' | 'PUT'
  /** The last part of the path: `activate`. */
  readonly action: string
  readonly summary: string
  /** Set where action and noun make a poor name. */
  readonly operationId?: string
  readonly body?: Resource['patch']
  change(deps: ResourceDeps, request: FastifyRequest): Promise<Values>
}

/** A named action on one row, such as `…/campaigns/:campaignId/pause`. */
export function actionRoute(http: Http, deps: ResourceDeps, route: ActionRoute): void {
  const { resource, method, action, summary, body, change } = route
  http.route({
    method,
    url: `${onePathOf(resource)}/${action}`,
    config: { access: `${resource.permission}:write` },
    schema: {
      ...about(resource, route.operationId ?? `${camel(action)}${pascal(resource.noun)}`, summary),
      params: paramsOf(resource),
      ...(body && { body }),
      response: { 200: resource.view },
    },
    handler: (request, reply) =>
      changeRow(deps, resource, { request, reply, change: (deps) => change(deps, request) }),
  })
}

/** The view of a changed row, with the proposal if the body may cause one. */
const changedView = ({ view }: Resource, body: TObject): TObject =>
  guardedIn(body).size === 0
    ? view
    : Type.Object({ ...view.properties, proposal: Type.Optional(ProposalMade) })

interface RowChange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly status?: number
  change(deps: ResourceDeps, actor: Actor): Promise<Values>
}

/** Changes one row in a transaction and answers with it. */
export function changeRow(deps: ResourceDeps, resource: Resource, row: RowChange) {
  const { request, reply, status = 200, change } = row
  return runCommand(deps, { request, reply }, async (db: Database): Promise<Answer> => {
    const record = await change({ ...deps, db }, actorOf(request))
    const proposal = record[PROPOSAL]
    const [shown] = await withFigures({ ...deps, db }, resource, [record])
    const body = { ...present(resource, shown!), ...(proposal !== undefined && { proposal }) }
    return { status, headers: etagOf(record), body }
  })
}

export const actorOf = (request: FastifyRequest): Actor => ({
  principal: callerOf(request),
  requestId: request.id,
})

export const targetOf = (request: FastifyRequest, resource: Resource) => ({
  publicId: idIn(request, resource),
  actor: actorOf(request),
  expectedVersion: expectedVersionOf(request),
})

/** From If-Match; undefined if the caller sent none. */
export const expectedVersionOf = (request: FastifyRequest) => versionIn(request.headers['if-match'])

function versionIn(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined || ifMatch === '*') return undefined
  return Number(/^(?:W\/)?"(\d{1,9})"$/.exec(ifMatch)?.[1] ?? -1)
}

export const etagOf = ({ version }: { readonly version?: unknown }) => ({
  etag: `"${String(version)}"`,
})

const paramOf = ({ noun }: Resource) => `${camel(noun)}Id`
const idIn = (request: FastifyRequest, resource: Resource) =>
  (request.params as Record<string, string>)[paramOf(resource)]!
const paramsOf = (resource: Resource) => Type.Object({ [paramOf(resource)]: Uuid })
const pathOf = ({ plural, path }: Resource) => path ?? `/${plural.replaceAll(' ', '-')}`
const onePathOf = (resource: Resource) => `${pathOf(resource)}/:${paramOf(resource)}`

const about = ({ tag }: Resource, operationId: string, summary: string) => ({
  operationId,
  summary,
  tags: [tag],
})

const withArticle = ({ noun }: Resource) => `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`
const pascal = (words: string) =>
  words.replace(/(?:^|[ -])(\w)/g, (_, letter) => letter.toUpperCase())
const camel = (words: string) => words.replace(/[ -](\w)/g, (_, letter) => letter.toUpperCase())
