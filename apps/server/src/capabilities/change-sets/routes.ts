import * as contract from '@placard/contract/change-sets'
import { httpProblems } from '../../platform/http/problems.ts'
import type { Http } from '../../platform/http/server.ts'
import { Problem } from '../../platform/problem.ts'
import {
  actorOf,
  getRow,
  resourceRoutes,
  type Target,
  targetOf,
  type Values,
} from '../../platform/resources/index.ts'
import { answerSet } from './answer.ts'
import { csvRoutes } from './csv/routes.ts'
import {
  type ChangeSetDeps,
  draftChangeSet,
  publishChangeSet,
  undoChangeSet,
} from './operations.ts'
import { changeSet } from './resources.ts'
import { type ChangeSetRow, listSetRows } from './store.ts'

/** Change sets: draft, preview, publish, undo. The caller gives the prefix. */
export function changeSetRoutes(http: Http, deps: ChangeSetDeps): void {
  resourceRoutes(http, deps, { resource: changeSet, actions: ['list', 'get'] })
  createRoute(http, deps)
  rowsRoute(http, deps)
  stepRoute(http, deps, { name: 'publish', summary: PUBLISH, step: publishChangeSet })
  csvRoutes(http, deps)
  stepRoute(http, deps, { name: 'undo', summary: UNDO, step: undoChangeSet })
}

const PUBLISH = 'Make the changes of a draft. Rows that changed since the preview are refused'
const UNDO = 'Restore every row that nobody changed since'

function createRoute(http: Http, deps: ChangeSetDeps): void {
  http.post(
    '/change-sets',
    {
      config: { access: 'campaigns:write' },
      schema: {
        operationId: 'createChangeSet',
        summary: 'Preview an edit of many campaigns. Nothing changes until it is published',
        description:
          'Plans the change of each selected row and checks it by the rules of that row. Above 100 rows a job does so: read the set until its state is `draft`. The rows say what will change, and why one cannot.',
        tags: ['change sets'],
        body: contract.CreateChangeSet,
        response: { 201: contract.ChangeSet },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const record = await draftChangeSet(deps, { body: request.body, actor })
      return answerSet(deps, { reply, record, status: 201 })
    },
  )
}

interface StepRoute {
  readonly name: 'publish' | 'undo'
  readonly summary: string
  step(deps: ChangeSetDeps, target: Target): Promise<Values>
}

/** Repeating a step continues it, so it needs no Idempotency-Key. */
function stepRoute(http: Http, deps: ChangeSetDeps, { name, summary, step }: StepRoute): void {
  http.post(
    `/change-sets/:changeSetId/${name}`,
    {
      config: { access: 'campaigns:write' },
      schema: {
        operationId: `${name}ChangeSet`,
        summary,
        tags: ['change sets'],
        params: contract.ChangeSetParams,
        response: { 200: contract.ChangeSet },
      },
    },
    async (request, reply) => {
      const record = await step(deps, targetOf(request, changeSet))
      return answerSet(deps, { reply, record, status: 200 })
    },
  )
}

const ROWS_DEFAULT = 50

function rowsRoute(http: Http, { db }: ChangeSetDeps): void {
  http.get(
    '/change-sets/:changeSetId/rows',
    {
      config: { access: 'campaigns:read' },
      schema: {
        operationId: 'listChangeSetRows',
        summary: 'Rows of a change set with what changes, or why it cannot',
        tags: ['change sets'],
        params: contract.ChangeSetParams,
        querystring: contract.ChangeSetRowQuery,
        response: { 200: contract.ChangeSetRows },
      },
    },
    async (request) => {
      const { changeSetId: publicId } = request.params
      const { limit = ROWS_DEFAULT, cursor, outcome } = request.query
      const set = await getRow(db, changeSet, { publicId, actor: actorOf(request) })
      const found = await listSetRows(db, {
        changeSetId: set['id'] as bigint,
        outcome,
        after: positionIn(cursor),
        limit: limit + 1,
      })
      const items = found.slice(0, limit)
      const last = found.length > limit ? items.at(-1) : undefined
      return {
        items: items.map(presentRow),
        ...(last && { nextCursor: String(last.position) }),
      }
    },
  )
}

/** A cursor is the position of the last row. */
function positionIn(cursor: string | undefined): number {
  if (cursor === undefined) return -1
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor)
  throw new Problem(httpProblems.invalidRequest, 'The cursor does not belong to this list.', [
    { path: 'querystring/cursor', message: 'is not a nextCursor of this list' },
  ])
}

const presentRow = ({ before, after, ...row }: ChangeSetRow) => ({
  position: row.position,
  entity: row.entity,
  entityId: row.entityId,
  name: row.name,
  currency: row.currency,
  outcome: row.outcome,
  reason: row.reason,
  changes: Object.keys(after ?? {}).map((field) => ({
    field,
    from: before?.[field] ?? null,
    to: after?.[field] ?? null,
  })),
})
