import { Type } from 'typebox'
import { defineJob } from '../../../platform/jobs/job.ts'
import {
  EXPORT_ATTEMPTS_MAX,
  expireExports,
  type ExportDeps,
  writeExport,
} from './operations-exports.ts'

/** Writes the file of one export. */
export const writeExportJob = defineJob({
  name: 'reports.write-export',
  queue: 'exports',
  payload: Type.Object({ exportId: Type.String({ format: 'uuid' }) }),
  retries: EXPORT_ATTEMPTS_MAX - 1,
  backoff: { firstSeconds: 10, maxSeconds: 60 },
  timeoutSeconds: 1_800,
  concurrency: 2,
  dedupeKey: ({ exportId }) => `export-${exportId}`,
  async run({ exportId }, deps: ExportDeps, { signal }) {
    await writeExport(deps, exportId, signal)
  },
})

/** Deletes files after their retention time, every hour. */
export const expireExportsJob = defineJob({
  name: 'reports.expire-exports',
  payload: Type.Object({}),
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 600,
  concurrency: 1,
  run: (_, deps: Pick<ExportDeps, 'db' | 'clock' | 'storage'>, { signal }) =>
    expireExports(deps, signal),
})
