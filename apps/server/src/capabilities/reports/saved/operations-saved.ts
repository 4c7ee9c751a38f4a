import type { Database } from '../../../platform/database/connect.ts'
import { failureOf } from '../../../platform/database/failure.ts'
import { Problem } from '../../../platform/problem.ts'
import {
  getRow,
  reviseRow,
  type ResourceDeps,
  type Target,
} from '../../../platform/resources/index.ts'
import { reasonOf } from '../../../platform/set-aside/set-aside.ts'
import { notifyRecipient, type NotifyDeps } from '../../notices/index.ts'
import { fileName } from '../exports/columns-in-words.ts'
import { fileReport, type ReportFile } from '../exports/report-file.ts'
import { answerReport, questionOf } from '../operations.ts'
import { reportProblems } from '../problems.ts'
import { findScope } from '../reads-scope.ts'
import type { ReportScope } from '../report.ts'
import { savedReport } from '../resources.ts'
import { nextDue, queryOf } from './schedule.ts'
import { lockDueReport, saveSent, type SavedReportRow } from './store-saved.ts'

type Saved = Pick<SavedReportRow, 'accountId' | 'question' | 'timeZone'>

/** Runs a saved report for today, within the scope of its account. */
export async function answerSaved({ db, clock }: ResourceDeps, target: Target) {
  const saved = (await getRow(db, savedReport, target)) as unknown as Saved
  const scope = await findScope(db, saved.accountId)
  return answerReport(db, queryOf(saved, clock.now()), scope)
}

/** Sends it in the worker's next round, whatever its schedule. */
export function sendSoon(deps: ResourceDeps, target: Target) {
  return reviseRow(deps, savedReport, {
    ...target,
    action: 'send',
    revise({ recipientId }) {
      if (recipientId === null) {
        throw new Problem(reportProblems.nobodyToSendTo, 'First choose a recipient.')
      }
      return { nextDueAt: deps.clock.now(), failures: 0 }
    },
  })
}

const REPORTS_MAX = 1_000

/** Writes and sends the reports that are due, and returns their number. */
export async function sendDueReports(deps: NotifyDeps, signal: AbortSignal): Promise<number> {
  let sent = 0
  while (!signal.aborted && sent < REPORTS_MAX && (await sendNext(deps))) sent += 1
  return sent
}

/** File, notice and next time commit together. A report that fails delays no other. */
async function sendNext(deps: NotifyDeps): Promise<boolean> {
  const now = deps.clock.now()
  return deps.db.transaction(async (db) => {
    const report = await lockDueReport(db, now)
    if (!report) return false
    try {
      const regular = regularly(report, now)
      await db.transaction((db) => send({ ...deps, db }, report))
      await saveSent(db, report.id, {
        nextDueAt: regular,
        lastSentAt: now,
        failures: 0,
        failure: null,
      })
    } catch (error) {
      if (failureOf(error) === 'unavailable') throw error
      await recordFailure(db, report, { error, now })
    }
    return true
  })
}

const regularly = ({ every, atHour, timeZone }: SavedReportRow, now: Date) =>
  every ? nextDue({ every, atHour, timeZone }, now) : null

function regularlyIfEver(report: SavedReportRow, now: Date): Date | null {
  try {
    return regularly(report, now)
  } catch {
    return null
  }
}

const FILE = { rowsMax: 50_000, bytesMax: 10_000_000 } as const

async function send(deps: NotifyDeps, report: SavedReportRow): Promise<void> {
  const { publicId, name, format, nextDueAt, recipientId, accountId } = report
  const query = queryOf(report, nextDueAt!)
  const scope: ReportScope = await findScope(deps.db, accountId)
  const file = await fileReport(deps.db, questionOf(query, scope), {
    format,
    headings: 'words',
    ...FILE,
  })
  const { from, to, timeZone } = query
  await notifyRecipient(deps, recipientId!, {
    topic: 'report',
    key: `report:${publicId}:${nextDueAt!.toISOString()}`,
    subject: `${name}: ${from} to ${to}`,
    words: wordsFor(file, { name, days: `${from} to ${to} (${timeZone})` }),
    data: {
      savedReportId: publicId,
      name,
      from,
      to,
      timeZone,
      format,
      rows: file.rows,
      isCut: file.isCut,
    },
    attachment: { name: fileName(name, { from, to, format }), content: file.content },
  })
}

const wordsFor = ({ rows, isCut }: ReportFile, { name, days }: { name: string; days: string }) =>
  isCut
    ? `${name}, ${days}. The file has the first ${rows} rows, because the whole report is too large to send. Export it instead.`
    : `${name}, ${days}. The file has ${rows} rows.`

const RETRIES = 3
const RETRY_MS = 15 * 60_000

/**
 * Tries again three times, 15 minutes apart, then at the next regular time. If there is no next
 * time, it waits until someone changes the report.
 */
async function recordFailure(
  db: Database,
  report: SavedReportRow,
  { error, now }: { readonly error: unknown; readonly now: Date },
): Promise<void> {
  const isTriedAgain = report.failures < RETRIES
  await saveSent(db, report.id, {
    nextDueAt: isTriedAgain ? new Date(now.getTime() + RETRY_MS) : regularlyIfEver(report, now),
    failures: isTriedAgain ? report.failures + 1 : 0,
    failure: reasonOf(error),
  })
}
