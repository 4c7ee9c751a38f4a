import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { once } from 'node:events'
import { DAY_MS, HOUR_MS } from '@placard/calendar'
import type { CreateReportExport } from '@placard/contract/reports'
import type { Database } from '../../../platform/database/connect.ts'
import { failureOf } from '../../../platform/database/failure.ts'
import { Problem } from '../../../platform/problem.ts'
import {
  type Actor,
  createRow,
  type ResourceDeps,
  type Values,
} from '../../../platform/resources/index.ts'
import { forEachRow } from '../../../platform/set-aside/set-aside.ts'
import type { AssetStorage } from '../../creatives/index.ts'
import { notifyRecipient, type NotifyDeps } from '../../notices/index.ts'
import { type Dated, questionOf } from '../operations.ts'
import { reportProblems } from '../problems.ts'
import { findScope } from '../reads-scope.ts'
import type { Question } from '../report.ts'
import { reportExport } from '../resources.ts'
import { fileReport, type FileStyle, type ReportFile, writeReport } from './report-file.ts'
import {
  allowLongStatements,
  failAbandoned,
  deleteOldExports,
  listBeyond,
  listExpired,
  lockUnfinished,
  type ReportExportRow,
  saveExport,
  startExport,
} from './store-exports.ts'

/** Limits of an export that is answered at once. A job writes longer ones to a file. */
const SHORT = { rowsMax: 50_000, bytesMax: 10_000_000 } as const

/**
 * The whole file of a short report, or undefined if it is long. Releases the database connection
 * before the first byte is sent, so that no reader can hold it.
 */
export async function readShort(
  db: Database,
  question: Question,
  style: FileStyle,
): Promise<ReportFile | undefined> {
  try {
    const file = await fileReport(db, question, { ...style, ...SHORT })
    return file.isCut ? undefined : file
  } catch (error) {
    // It takes too long, or all connections for exports are in use.
    if (failureOf(error) === 'busy') return undefined
    throw error
  }
}

const UNFINISHED_MAX = 5
const KEPT_DAYS = 7

/** Stores the order of a file. The caller enqueues its job in the same transaction. */
export async function orderExport(
  deps: ResourceDeps,
  query: Dated<CreateReportExport>,
  actor: Actor,
): Promise<Values> {
  const { format = 'csv', recipientId, ...rest } = query
  const { accountId } = actor.principal
  const question = { ...rest, format }
  questionOf(question, await findScope(deps.db, accountId))
  if ((await lockUnfinished(deps.db, accountId)) >= UNFINISHED_MAX) {
    throw new Problem(reportProblems.exportsWaiting, `${UNFINISHED_MAX} are waiting or running.`)
  }
  const expiresAt = new Date(deps.clock.now().getTime() + KEPT_DAYS * DAY_MS)
  return createRow(deps, reportExport, {
    body: recipientId === undefined ? {} : { recipientId },
    actor,
    extra: { question, format, expiresAt },
  })
}

export interface ExportDeps extends NotifyDeps {
  readonly storage: AssetStorage
  /** Prefix of links in notices. Undefined if PUBLIC_URL is not set. */
  readonly publicUrl: string | undefined
}

const ROWS_MAX = 5_000_000
const KEPT_MAX = 20
export const EXPORT_ATTEMPTS_MAX = 3
const FAILURE_CHARACTERS_MAX = 500

/**
 * Writes the file of an export. A second run writes the same file. A finished export is left alone.
 */
export async function writeExport(
  deps: ExportDeps,
  publicId: string,
  signal: AbortSignal,
): Promise<void> {
  const row = await startExport(deps.db, publicId, deps.clock.now())
  if (!row) return
  try {
    const written = await writeFileOf(deps, row, signal)
    await finish(deps, row, written)
    await deleteFile(deps, await listBeyond(deps.db, { accountId: row.accountId, kept: KEPT_MAX }))
  } catch (error) {
    const failure = (error as Error).message.slice(0, FAILURE_CHARACTERS_MAX)
    const updatedAt = deps.clock.now()
    await saveExport(deps.db, row.id, {
      updatedAt,
      failure,
      ...(row.attempts >= EXPORT_ATTEMPTS_MAX
        ? { status: 'failed', finishedAt: updatedAt }
        : { status: 'waiting' }),
    })
    throw error
  }
}

type Written = Pick<ReportExportRow, 'rowCount' | 'byteCount' | 'isCut'>

/** Writes to a temporary file first, because storage takes a file whole or not at all. */
async function writeFileOf(
  deps: ExportDeps,
  row: ReportExportRow,
  signal: AbortSignal,
): Promise<Written> {
  const folder = await mkdtemp(path.join(tmpdir(), 'placard-export-'))
  try {
    const file = path.join(folder, row.publicId)
    const written = await writeTo(file, { deps, row, signal })
    await deps.storage.saveFile(row.publicId, { file, contentType: EXPORT_TYPES[row.format] })
    return written
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const EXPORT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const

const ROWS_BETWEEN_SAVES = 10_000

async function writeTo(
  file: string,
  { deps, row, signal }: { deps: ExportDeps; row: ReportExportRow; signal: AbortSignal },
): Promise<Written> {
  const { db, clock } = deps
  const question = questionOf(row.question, await findScope(db, row.accountId))
  await using closing = new AsyncDisposableStack()
  const stream = createWriteStream(file, { mode: 0o600 })
  closing.defer(() => void stream.destroy())
  let savedRows = 0
  const { rows, isCut } = await db.transaction(async (reading) => {
    await allowLongStatements(reading)
    return writeReport(reading, question, {
      ...row.question,
      format: row.format,
      rowsMax: ROWS_MAX,
      async take(text, rows) {
        signal.throwIfAborted()
        if (!stream.write(text)) await once(stream, 'drain')
        if (rows - savedRows < ROWS_BETWEEN_SAVES) return
        savedRows = rows
        await saveExport(db, row.id, { rowCount: rows, updatedAt: clock.now() })
      },
    })
  })
  stream.end()
  await once(stream, 'close')
  return { rowCount: rows, byteCount: stream.bytesWritten, isCut }
}

/** Finishes the file and notifies its recipient, or does neither. */
async function finish(deps: ExportDeps, row: ReportExportRow, written: Written): Promise<void> {
  const finishedAt = deps.clock.now()
  await deps.db.transaction(async (db) => {
    await saveExport(db, row.id, {
      ...written,
      status: 'ready',
      failure: null,
      finishedAt,
      updatedAt: finishedAt,
    })
    if (row.recipientId === null) return
    const { from, to } = row.question
    const address = `${deps.publicUrl ?? ''}${exportAddress(row.publicId)}/file`
    await notifyRecipient({ ...deps, db }, row.recipientId, {
      topic: 'report',
      key: `export:${row.publicId}`,
      subject: `Your export, ${from} to ${to}, is ready`,
      words: `The file has ${written.rowCount} rows. Download it until ${row.expiresAt.toISOString().slice(0, 10)} on the page Reports of the console, or from ${address} with your API key.`,
      data: { reportExportId: row.publicId, url: address, from, to, ...written },
    })
  })
}

export const exportAddress = (publicId: string) => `/api/v1/reports/exports/${publicId}`

const FORGOTTEN_DAYS = 30
const ABANDONED_MS = 6 * HOUR_MS

/**
 * Deletes files of old exports, fails exports that no job works on, and deletes exports without a
 * file after a while.
 */
export async function expireExports(
  deps: Pick<ExportDeps, 'db' | 'clock' | 'storage'>,
  signal: AbortSignal,
): Promise<void> {
  const now = deps.clock.now()
  for (;;) {
    const expired = await listExpired(deps.db, now)
    if (expired.length === 0 || signal.aborted) break
    await deleteFile(deps, expired)
  }
  await failAbandoned(deps.db, { before: new Date(now.getTime() - ABANDONED_MS), now })
  await deleteOldExports(deps.db, new Date(now.getTime() - FORGOTTEN_DAYS * DAY_MS))
}

const keyOf = ({ id }: ReportExportRow): number => Number(id)

/** The row first, so that no one is offered a file that is being deleted. */
async function deleteFile(
  { db, clock, storage }: Pick<ExportDeps, 'db' | 'clock' | 'storage'>,
  rows: readonly ReportExportRow[],
): Promise<void> {
  const round = { reader: 'reports.expire-exports', entity: 'report_exports', rows, keyOf }
  await forEachRow({ db, clock }, round, async ({ id, publicId }) => {
    await saveExport(db, id, { status: 'expired', updatedAt: clock.now() })
    await storage.remove(publicId)
  })
}
