import { DAY_MS } from '@placard/calendar'
import * as contract from '@placard/contract/tracking'
import type { Static } from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { runCommand } from '../../../platform/http/command.ts'
import { httpProblems } from '../../../platform/http/problems.ts'
import type { Http } from '../../../platform/http/server.ts'
import type { Jobs } from '../../../platform/jobs/job.ts'
import { Problem } from '../../../platform/problem.ts'
import { type Actor, actorOf, type ResourceDeps } from '../../../platform/resources/index.ts'
import { rescoreJob } from './jobs.ts'
import type { Period, RescoreFilter } from './rescore.ts'
import { addRescore, listRescores } from './store.ts'

/** Throws a Problem if the row does not exist. */
type GetKey = (db: Database, actor: Actor, publicId: string) => Promise<number>

export interface RescoreRouteDeps extends ResourceDeps {
  /** Without it the order waits for the job that runs every minute. */
  readonly jobs?: Pick<Jobs, 'enqueue'> | undefined
  readonly getCampaignKey: GetKey
  readonly getSiteKey: GetKey
  readonly getPlacementKey: GetKey
}

/** Orders and lists rescores. Register under `/api/v1/admin`. */
export function rescoreRoutes(http: Http, deps: RescoreRouteDeps): void {
  orderRoute(http, deps)
  listRoute(http, deps)
}

function orderRoute(http: Http, deps: RescoreRouteDeps): void {
  http.post(
    '/tracking/rescores',
    {
      config: { access: 'quality:write' },
      schema: {
        operationId: 'rescoreEvents',
        summary: 'Relabel valid events of a past period and credit their charges',
        description:
          'Runs in the background. The events stay under the given label; their charges come back as credits in the ledger. The same order twice changes nothing. At most 31 days. Addresses and user agents are not stored, so a rule cannot use them.',
        tags: ['tracking'],
        body: contract.RescoreEvents,
        response: { 202: contract.RescoreOrdered },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const id = await order({ ...deps, db }, actorOf(request), request.body)
        return { status: 202, body: { id } }
      }),
  )
}

type Body = Static<typeof contract.RescoreEvents>

async function order(deps: RescoreRouteDeps, actor: Actor, body: Body): Promise<string> {
  const { db, clock, ids, jobs } = deps
  const { label, note, rule } = body
  const orderedAt = clock.now()
  const period = periodOf(body, orderedAt)
  const filter = await filterOf(deps, actor, rule)
  const publicId = ids.next()
  const orderedBy = actor.principal.id
  await addRescore(db, { publicId, ...period, label, rule, filter, note, orderedAt, orderedBy })
  await deps.audit(db, {
    actor,
    accountId: null,
    action: 'rescore-events',
    entity: 'rescores',
    entityId: publicId,
    before: null,
    after: body,
  })
  await jobs?.enqueue(db, rescoreJob, { payload: {} })
  return publicId
}

const DAYS_MAX = 31

function periodOf({ from, to }: Pick<Body, 'from' | 'to'>, now: Date): Period {
  const fromMs = Date.parse(from)
  const toMs = Date.parse(to)
  if (toMs <= fromMs || toMs - fromMs > DAYS_MAX * DAY_MS) {
    throw wrongEnd(`must be after from, by at most ${DAYS_MAX} days`)
  }
  if (toMs > now.getTime()) throw wrongEnd('must be in the past')
  return { fromMs, toMs }
}

const wrongEnd = (message: string) =>
  new Problem(httpProblems.invalidRequest, 'The period cannot be rescored.', [
    { path: 'body/to', message },
  ])

async function filterOf(
  deps: RescoreRouteDeps,
  actor: Actor,
  { campaignId, siteId, placementId, ...rest }: Body['rule'],
): Promise<RescoreFilter> {
  const keyOf = (get: GetKey, publicId: string | undefined) =>
    publicId === undefined ? undefined : get(deps.db, actor, publicId)
  return {
    ...rest,
    campaignKey: await keyOf(deps.getCampaignKey, campaignId),
    siteKey: await keyOf(deps.getSiteKey, siteId),
    placementKey: await keyOf(deps.getPlacementKey, placementId),
  }
}

const SHOWN = 100

function listRoute(http: Http, { db }: RescoreRouteDeps): void {
  http.get(
    '/tracking/rescores',
    {
      config: { access: 'quality:read' },
      schema: {
        operationId: 'readRescores',
        summary: 'List the newest rescore orders, with their results',
        tags: ['tracking'],
        response: { 200: contract.Rescores },
      },
    },
    async () => ({ items: await listRescores(db, SHOWN) }),
  )
}
