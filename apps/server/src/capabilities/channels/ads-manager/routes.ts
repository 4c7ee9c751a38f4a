import * as contract from '@placard/contract/channels'
import { callerOf } from '../../../platform/http/access.ts'
import { runCommand } from '../../../platform/http/command.ts'
import { httpProblems } from '../../../platform/http/problems.ts'
import type { Http } from '../../../platform/http/server.ts'
import type { Jobs } from '../../../platform/jobs/job.ts'
import { Problem } from '../../../platform/problem.ts'
import {
  actorOf,
  changeRow,
  listRows,
  resourceRoutes,
  type ResourceDeps,
} from '../../../platform/resources/index.ts'
import { listLevel } from './operations.ts'
import { createBackfill, getManualSync, orderSync } from '../sync/operations-requests.ts'
import { readSellpageStats, sellpageCsv } from './sellpages.ts'
import { alert, backfill } from '../resources.ts'

export interface AdsManagerDeps extends ResourceDeps {
  readonly jobs: Jobs | undefined
}

/** Figures of channels, and syncs on request. The caller gives the prefix. */
export function adsManagerRoutes(http: Http, deps: AdsManagerDeps): void {
  syncRoute(http, deps)
  syncStateRoute(http, deps)
  backfillRoute(http, deps)
  resourceRoutes(http, deps, { resource: backfill, actions: ['list', 'get'] })
  campaignsRoute(http, deps)
  adSetsRoute(http, deps)
  adsRoute(http, deps)
  sellpagesRoute(http, deps)
  alertsRoute(http, deps)
}

const described = (operationId: string, summary: string) => ({
  operationId,
  summary,
  tags: ['channels'],
})

function syncRoute(http: Http, deps: AdsManagerDeps): void {
  http.post(
    '/ads-manager/sync',
    {
      config: { access: 'channels:write' },
      // The body is optional.
      preValidation: async (request) => {
        if (request.body === undefined) (request as { body: unknown }).body = {}
      },
      schema: {
        ...described(
          'syncChannels',
          'Sync one advertiser for a day now, or all advertisers you may sync',
        ),
        body: contract.SyncRequest,
        response: { 202: contract.SyncOrdered },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const order = { requested: request.body, actor: actorOf(request) }
        const verdict = await orderSync({ ...deps, db }, order)
        if (verdict.kind === 'ordered') {
          return { status: 202, body: { enqueued: verdict.enqueued, jobIds: verdict.jobIds } }
        }
        const { retrySeconds } = verdict
        void reply.header('retry-after', String(retrySeconds))
        throw new Problem(
          httpProblems.tooManyRequests,
          `The last sync is less than a minute old. Try again in ${retrySeconds} s.`,
        )
      }),
  )
}

function syncStateRoute(http: Http, deps: AdsManagerDeps): void {
  http.get(
    '/ads-manager/sync/:jobId',
    {
      config: { access: 'channels:read' },
      schema: {
        ...described('readSync', 'Read the result of a sync you requested'),
        params: contract.SyncParams,
        response: { 200: contract.Sync },
      },
    },
    (request) => getManualSync(deps, request.params.jobId, callerOf(request)),
  )
}

function backfillRoute(http: Http, deps: AdsManagerDeps): void {
  http.post(
    '/ads-manager/backfills',
    {
      config: { access: 'channels:write' },
      schema: {
        ...described('createBackfill', 'Fetch every day of a range again, in the background'),
        body: contract.CreateBackfill,
        response: { 202: contract.Backfill },
      },
    },
    (request, reply) =>
      changeRow(deps, backfill, {
        request,
        reply,
        status: 202,
        change: ({ db }, actor) => createBackfill({ ...deps, db }, { body: request.body, actor }),
      }),
  )
}

function campaignsRoute(http: Http, deps: AdsManagerDeps): void {
  http.get(
    '/ads-manager/campaigns',
    {
      config: { access: 'channels:read' },
      schema: {
        ...described('listChannelCampaigns', 'List campaigns of every channel with their figures'),
        querystring: contract.ChannelCampaignQuery,
        response: { 200: contract.ChannelCampaigns },
      },
    },
    (request) =>
      listLevel(deps, 'CAMPAIGN', { query: request.query, scope: callerOf(request) }) as never,
  )
}

function adSetsRoute(http: Http, deps: AdsManagerDeps): void {
  http.get(
    '/ads-manager/adsets',
    {
      config: { access: 'channels:read' },
      schema: {
        ...described('listChannelAdSets', 'List ad sets of a campaign with their figures'),
        querystring: contract.ChannelAdSetQuery,
        response: { 200: contract.ChannelAdSets },
      },
    },
    (request) =>
      listLevel(deps, 'ADSET', { query: request.query, scope: callerOf(request) }) as never,
  )
}

function adsRoute(http: Http, deps: AdsManagerDeps): void {
  http.get(
    '/ads-manager/ads',
    {
      config: { access: 'channels:read' },
      schema: {
        ...described('listChannelAds', 'List ads of an ad set with their figures'),
        querystring: contract.ChannelAdQuery,
        response: { 200: contract.ChannelAds },
      },
    },
    (request) => listLevel(deps, 'AD', { query: request.query, scope: callerOf(request) }) as never,
  )
}

function sellpagesRoute(http: Http, deps: AdsManagerDeps): void {
  http.get(
    '/ads-manager/sellpages',
    {
      config: { access: 'channels:read' },
      schema: {
        ...described(
          'readSellpageStats',
          'List spend, orders and conversion rates by sellpage and source',
        ),
        querystring: contract.SellpageStatsQuery,
        response: { 200: contract.SellpageStats },
      },
    },
    (request) => readSellpageStats(deps, { ...request.query, scope: callerOf(request) }),
  )
  http.get(
    '/ads-manager/sellpages/export',
    {
      config: { access: 'channels:read' },
      schema: {
        ...described('exportSellpageStats', 'Export the same rows as CSV'),
        querystring: contract.SellpageStatsQuery,
        response: { 200: contract.SellpageStatsCsv },
      },
    },
    async (request, reply) => {
      const report = await readSellpageStats(deps, { ...request.query, scope: callerOf(request) })
      const name = `sellpages_${report.meta.from}_${report.meta.to}.csv`
      void reply.type('text/csv; charset=utf-8')
      void reply.header('content-disposition', `attachment; filename="${name}"`)
      return sellpageCsv(report)
    },
  )
}

/** Newest first, including closed alerts. */
function alertsRoute(http: Http, deps: AdsManagerDeps): void {
  http.get(
    '/ads-manager/alerts',
    {
      config: { access: 'channels:read' },
      schema: {
        ...described(
          'readAlerts',
          'List campaigns and connections that need attention, with the reason',
        ),
        querystring: contract.AlertQuery,
        response: { 200: contract.Alerts },
      },
    },
    (request) => listRows(deps, alert, { query: request.query, scope: callerOf(request) }) as never,
  )
}
