import type { ReportExport } from '@placard/contract/reports'
import { connect } from '../../apps/server/src/platform/database/connect.ts'
import { writeReport } from '../../apps/server/src/capabilities/reports/exports/report-file.ts'
import { type Dated, questionOf } from '../../apps/server/src/capabilities/reports/operations.ts'
import { rounded } from '../scratch.ts'

/** Exports one report, discards it, and prints the peak memory of the process. */
const [url = '', query = ''] = process.argv.slice(2)
const { db, close } = connect({ url, connectionsMax: 2, statementTimeoutMs: 600_000 })
const PLATFORM = { kind: 'platform', accountId: 0n } as const
const began = performance.now()
let bytes = 0
let peak = process.memoryUsage.rss()
const { format = 'csv', ...asked } = JSON.parse(query) as Dated<ReportExport>
await writeReport(db, questionOf(asked, PLATFORM), {
  format,
  rowsMax: 5_000_000,
  async take(text) {
    bytes += Buffer.byteLength(text)
    peak = Math.max(peak, process.memoryUsage.rss())
  },
})
await close()
console.log(
  JSON.stringify({
    exportMb: Math.round(peak / 1_048_576),
    exportFileMb: Math.round(bytes / 1_048_576),
    exportSeconds: rounded((performance.now() - began) / 1_000),
  }),
)
