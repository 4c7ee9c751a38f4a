import * as contract from '@placard/contract/reports'
import { Type } from 'typebox'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import { callerOf } from '../../platform/http/access.ts'
import type { Http } from '../../platform/http/server.ts'
import { answerReport, exportReport } from './operations.ts'
import { requestRebuild } from './store-rebuilds.ts'

export interface ReportDeps {
  readonly db: Database
  readonly clock: Clock
}

/** Reports over what happened here; the caller gives the prefix. */
export function reportRoutes(http: Http, deps: ReportDeps): void {
  queryRoute(http, deps)
  exportRoute(http, deps)
  rebuildRoute(http, deps)
}

function queryRoute(http: Http, { db }: ReportDeps): void {
  http.post(
    '/reports/query',
    {
      config: { access: 'reports:read' },
      schema: {
        operationId: 'queryReport',
        summary: 'Any metrics by any dimensions, with totals and the period before',
        tags: ['reports'],
        body: contract.ReportQuery,
        response: { 200: contract.Report },
      },
    },
    (request) => answerReport(db, request.body, callerOf(request)),
  )
}

const TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const

function exportRoute(http: Http, { db }: ReportDeps): void {
  http.post(
    '/reports/export',
    {
      config: { access: 'reports:read' },
      schema: {
        operationId: 'exportReport',
        summary: 'A whole report as CSV or JSON, streamed',
        tags: ['reports'],
        body: contract.ReportExport,
        response: { 200: Type.Any({ description: 'The file' }) },
      },
    },
    (request, reply) => {
      const { format = 'csv', from, to } = request.body
      return reply
        .type(TYPES[format])
        .header('content-disposition', `attachment; filename="report-${from}-${to}.${format}"`)
        .send(exportReport(db, request.body, callerOf(request)))
    },
  )
}

function rebuildRoute(http: Http, { db, clock }: ReportDeps): void {
  http.post(
    '/reports/rebuilds',
    {
      config: { access: 'operations:write' },
      schema: {
        operationId: 'rebuildStatistics',
        summary: 'Work the sums of a UTC day out anew, in the background',
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
