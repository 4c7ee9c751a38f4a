import * as contract from '@placard/contract/reports'
import type { FastifyRequest } from 'fastify'
import type { Database } from '../../platform/database/connect.ts'
import { callerOf } from '../../platform/http/access.ts'
import type { Http } from '../../platform/http/server.ts'
import {
  actionRoute,
  resourceRoutes,
  type ResourceDeps,
  targetOf,
} from '../../platform/resources/index.ts'
import { answerSaved, sendSoon } from './saved/operations-saved.ts'
import { type ExportRouteDeps, exportRoutes } from './exports/routes-exports.ts'
import { answerBannerStats, answerReport, datedQuery } from './operations.ts'
import { findScope } from './reads-scope.ts'
import { savedReport } from './resources.ts'
import { requestRebuild } from './cube/store-rebuilds.ts'

/** Reports over our own events. The caller gives the prefix. */
export function reportRoutes(http: Http, deps: ExportRouteDeps): void {
  queryRoute(http, deps)
  exportRoutes(http, deps)
  bannerStatsRoute(http, deps)
  rebuildRoute(http, deps)
  resourceRoutes(http, deps, { resource: savedReport })
  resultRoute(http, deps)
  actionRoute(http, deps, {
    resource: savedReport,
    method: 'POST',
    action: 'send',
    summary: 'Send a saved report to its recipient now',
    change: (deps, request) => sendSoon(deps, targetOf(request, savedReport)),
  })
}

const scopeOf = (db: Database, request: FastifyRequest) =>
  findScope(db, callerOf(request).accountId)

function queryRoute(http: Http, { db, clock }: ResourceDeps): void {
  http.post(
    '/reports/query',
    {
      config: { access: 'reports:read' },
      schema: {
        operationId: 'queryReport',
        summary: 'Query any metrics by any dimensions, with totals and the previous period',
        tags: ['reports'],
        body: contract.ReportQuery,
        response: { 200: contract.Report },
      },
    },
    async (request) =>
      answerReport(db, datedQuery(request.body, clock.now()), await scopeOf(db, request)),
  )
}

function bannerStatsRoute(http: Http, { db, clock }: ResourceDeps): void {
  http.get(
    '/reports/banner-stats',
    {
      config: { access: 'reports:read' },
      schema: {
        operationId: 'readBannerStats',
        summary: 'List impressions, clicks and spend per banner, placement, campaign and UTC day',
        description:
          'Valid traffic of past days from `banner_stats`, which is rolled up every night and soon after a missed night. For today and for other dimensions, use `/reports/query`.',
        tags: ['reports'],
        querystring: contract.BannerStatsQuery,
        response: { 200: contract.BannerStats },
      },
    },
    async (request) =>
      answerBannerStats(db, request.query, {
        scope: await scopeOf(db, request),
        at: clock.now(),
      }),
  )
}

function rebuildRoute(http: Http, { db, clock }: ResourceDeps): void {
  http.post(
    '/reports/rebuilds',
    {
      config: { access: 'operations:write' },
      schema: {
        operationId: 'rebuildStatistics',
        summary: 'Rebuild the sums of a UTC day in the background',
        tags: ['reports'],
        body: contract.RebuildDay,
        response: { 202: contract.RebuildRequested },
      },
    },
    async (request, reply) => {
      await requestRebuild(db, request.body.day, clock.now())
      return reply.code(202).send({ day: request.body.day })
    },
  )
}

function resultRoute(http: Http, deps: ResourceDeps): void {
  http.get(
    '/reports/saved/:savedReportId/result',
    {
      config: { access: 'reports:read' },
      schema: {
        operationId: 'readSavedReport',
        summary: 'Run a saved report for today',
        tags: ['reports'],
        params: contract.SavedReportParams,
        response: { 200: contract.Report },
      },
    },
    (request) => answerSaved(deps, targetOf(request, savedReport)),
  )
}
