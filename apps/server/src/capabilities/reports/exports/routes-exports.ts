import { Readable } from 'node:stream'
import * as contract from '@placard/contract/reports'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { callerOf } from '../../../platform/http/access.ts'
import { runCommand } from '../../../platform/http/command.ts'
import type { Http } from '../../../platform/http/server.ts'
import type { Jobs } from '../../../platform/jobs/job.ts'
import { Problem } from '../../../platform/problem.ts'
import {
  actorOf,
  etagOf,
  getRow,
  present,
  type ResourceDeps,
  resourceRoutes,
  targetOf,
} from '../../../platform/resources/index.ts'
import type { AssetStorage } from '../../creatives/index.ts'
import { type Dated, datedQuery, questionOf } from '../operations.ts'
import { reportProblems } from '../problems.ts'
import { findScope } from '../reads-scope.ts'
import { reportExport } from '../resources.ts'
import { type ExportPermit, type ExportPermits, openExportPermits } from './export-permits.ts'
import { fileName } from './columns-in-words.ts'
import { writeExportJob } from './jobs-exports.ts'
import { EXPORT_TYPES, exportAddress, orderExport, readShort } from './operations-exports.ts'
import type { ReportFile } from './report-file.ts'
import type { ReportExportRow } from './store-exports.ts'

export interface ExportRouteDeps extends ResourceDeps {
  readonly jobs?: Pick<Jobs, 'enqueue'> | undefined
  readonly storage: AssetStorage
  /** A pool for exports alone. Default: the common pool. */
  readonly exportDb?: Database | undefined
  /** How long the reader of a short export may take. */
  readonly exportReaderSeconds?: number
}

const LIMITS = { total: 4, perAccount: 2 } as const
const READER_SECONDS = 60

/** Reports as files: short ones at once, long ones by a job. */
export function exportRoutes(http: Http, deps: ExportRouteDeps): void {
  exportRoute(http, deps, openExportPermits(LIMITS))
  orderRoute(http, deps)
  resourceRoutes(http, deps, { resource: reportExport, actions: ['list', 'get'] })
  fileRoute(http, deps)
}

const ORDERED = Type.Unsafe<unknown>(contract.ReportExportFile)

function exportRoute(http: Http, deps: ExportRouteDeps, permits: ExportPermits): void {
  http.post(
    '/reports/export',
    {
      config: { access: 'reports:read' },
      schema: {
        operationId: 'exportReport',
        summary: 'Export a whole report as CSV or JSON',
        description:
          'A report of up to 50,000 rows and 10 MB is answered at once with 200. A longer one is answered with 202 and the address of an export in `Location`; a job writes its file. An account can read two exports at once, each within 60 s.',
        tags: ['reports'],
        body: contract.ReportExport,
        response: { 200: Type.Any({ description: 'The file' }), 202: ORDERED },
      },
    },
    (request, reply) => answer(deps, permits, { request, reply, query: request.body }),
  )
}

interface ExportExchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly query: contract.ReportExport
}

async function answer(
  deps: ExportRouteDeps,
  permits: ExportPermits,
  { request, reply, query }: ExportExchange,
) {
  const { db, clock, exportDb = db, exportReaderSeconds = READER_SECONDS } = deps
  const dated = datedQuery(query, clock.now())
  const { format = 'csv' } = dated
  const { accountId } = callerOf(request)
  const question = questionOf(dated, await findScope(db, accountId))
  const permit = permits.take(accountId)
  if (permit.kind === 'account-full') {
    void reply.header('retry-after', String(exportReaderSeconds))
    throw new Problem(reportProblems.exportsAtOnce, `${LIMITS.perAccount} are being read now.`)
  }
  if (permit.kind === 'full') return order(deps, { request, reply, query: dated })
  const file = await readShort(exportDb, question, { ...dated, format }).catch((error: unknown) => {
    permit.release()
    throw error
  })
  if (file) return send(reply, file, { permit, dated: { ...dated, format }, exportReaderSeconds })
  permit.release()
  return order(deps, { request, reply, query: dated })
}

interface Sending {
  readonly permit: Extract<ExportPermit, { kind: 'taken' }>
  readonly dated: Dated<contract.ReportExport> & { readonly format: 'csv' | 'json' }
  readonly exportReaderSeconds: number
}

/** The place is taken until the reader has the file, disconnects, or runs out of time. */
function send(reply: FastifyReply, { content }: ReportFile, sending: Sending): FastifyReply {
  const { permit, dated, exportReaderSeconds } = sending
  const { format, name } = dated
  const limit = setTimeout(() => reply.raw.destroy(), exportReaderSeconds * 1_000)
  reply.raw.once('close', () => {
    clearTimeout(limit)
    permit.release()
  })
  return reply
    .type(EXPORT_TYPES[format])
    .header('content-length', content.length)
    .header('content-disposition', `attachment; filename="${fileName(name, dated)}"`)
    .send(Readable.from(partsOf(content)))
}

const PART_BYTES = 65_536

function* partsOf(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += PART_BYTES) {
    yield content.subarray(at, at + PART_BYTES)
  }
}

function orderRoute(http: Http, deps: ExportRouteDeps): void {
  http.post(
    '/reports/exports',
    {
      config: { access: 'reports:read' },
      schema: {
        operationId: 'createReportExport',
        summary: 'Order the file of a report of any length',
        description:
          'A job writes the file, at most 5,000,000 rows. It can be downloaded for seven days. An account keeps its newest 20 files.',
        tags: ['reports'],
        body: contract.CreateReportExport,
        response: { 202: contract.ReportExportFile },
      },
    },
    (request, reply) =>
      order(deps, { request, reply, query: datedQuery(request.body, deps.clock.now()) }),
  )
}

interface Ordered {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly query: Dated<contract.CreateReportExport>
}

const order = (deps: ExportRouteDeps, { request, reply, query }: Ordered) =>
  runCommand(deps, { request, reply }, async (db) => {
    const record = await orderExport({ ...deps, db }, query, actorOf(request))
    const exportId = String(record.publicId)
    await deps.jobs?.enqueue(db, writeExportJob, { payload: { exportId } })
    return {
      status: 202,
      headers: { ...etagOf(record), location: exportAddress(exportId) },
      body: present(reportExport, record),
    }
  })

function fileRoute(http: Http, deps: ExportRouteDeps): void {
  http.get(
    '/reports/exports/:reportExportId/file',
    {
      config: { access: 'reports:read' },
      schema: {
        operationId: 'readReportExportFile',
        summary: 'Download the file of an export',
        tags: ['reports'],
        params: contract.ReportExportParams,
        response: { 200: Type.Any({ description: 'The file' }) },
      },
    },
    async (request, reply) => {
      const target = targetOf(request, reportExport)
      const row = (await getRow(deps.db, reportExport, target)) as unknown as ReportExportRow
      const { status, publicId, format, byteCount, question } = row
      if (status === 'expired') throw gone(publicId)
      if (status !== 'ready') throw new Problem(reportProblems.exportNotReady, `It is ${status}.`)
      const stream = await deps.storage.read(publicId)
      if (!stream) throw gone(publicId)
      const name = fileName(question.name, { ...question, format })
      return reply
        .type(EXPORT_TYPES[format])
        .header('content-length', byteCount)
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(stream)
    },
  )
}

const gone = (publicId: string) => new Problem(reportProblems.exportGone, `export ${publicId}`)
