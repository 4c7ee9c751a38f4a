import * as contract from '@placard/contract/reports'
import { Problem } from '../../platform/problem.ts'
import { defineResource } from '../../platform/resources/index.ts'
import { noticeProblems } from '../notices/index.ts'
import { recipients } from '../notices/tables.ts'
import { reportProblems } from './problems.ts'
import { questionOf } from './operations.ts'
import { findScope } from './reads-scope.ts'
import { nextDue, queryOf } from './saved/schedule.ts'
import { reportExports, savedReports } from './tables.ts'

/** The fields that decide when it is sent. */
const TERMS = ['every', 'recipientId', 'atHour', 'timeZone'] as const

export const savedReport = defineResource({
  noun: 'saved report',
  plural: 'saved reports',
  path: '/reports/saved',
  tag: 'reports',
  permission: 'reports',
  table: savedReports,
  view: contract.SavedReport,
  create: contract.CreateSavedReport,
  patch: contract.PatchSavedReport,
  query: contract.SavedReportQuery,
  references: { recipientId: { to: recipients, problem: noticeProblems.recipientNotFound } },
  problems: { notFound: reportProblems.savedNotFound },
  /** A changed schedule starts now. An invalid report is refused before it is stored. */
  async complete(db, row, { now, before }) {
    const { every, recipientId, atHour, timeZone } = row
    questionOf(queryOf(row, now), await findScope(db, row.accountId))
    if (before && TERMS.every((term) => before[term] === row[term])) return {}
    const nextDueAt =
      every && recipientId != null ? nextDue({ every, atHour, timeZone }, now) : null
    return { nextDueAt, failures: 0, failure: null }
  },
  check({ every, recipientId }) {
    if (every && recipientId == null) {
      throw new Problem(
        reportProblems.nobodyToSendTo,
        'The report has a schedule and no recipient.',
      )
    }
  },
})

export const reportExport = defineResource({
  noun: 'report export',
  plural: 'report exports',
  path: '/reports/exports',
  tag: 'reports',
  permission: 'reports',
  table: reportExports,
  view: contract.ReportExportFile,
  create: contract.CreateReportExport,
  patch: contract.ReportExportParams,
  query: contract.ReportExportQuery,
  references: { recipientId: { to: recipients, problem: noticeProblems.recipientNotFound } },
  problems: { notFound: reportProblems.exportNotFound },
})
