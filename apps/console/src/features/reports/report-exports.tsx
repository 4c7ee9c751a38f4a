import type { ReportExportFile as ReportExportSchema } from '@placard/contract/reports'
import { Download } from 'lucide-react'
import type { Static } from 'typebox'
import { api } from '../../api/client.ts'
import { useList } from '../../api/hooks.ts'
import { When } from '../../ui/format/amounts.tsx'
import { StatusBadge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import { saveFile } from '../../ui/save-file.ts'

type ReportExport = Static<typeof ReportExportSchema>

export const EXPORTS = '/reports/exports'

/** Exports that are being written or can be downloaded. */
export function ReportExports() {
  const { rows } = useList<ReportExport>(EXPORTS, { everySeconds: 5, pageSize: 20 })
  if (rows.length === 0) return null
  return (
    <Card title="Exports" isFlush>
      <ul>
        {rows.map((row) => (
          <li
            key={row.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 not-last:border-b"
          >
            <StatusBadge status={row.status} />
            <span>{row.rowCount.toLocaleString()} rows</span>
            <span className="text-xs text-ink-faint">
              ordered <When at={row.createdAt} />
            </span>
            {row.isCut && <span className="text-xs text-bad">the first 5,000,000 rows only</span>}
            {row.failure && <span className="text-xs text-bad">{row.failure}</span>}
            {row.status === 'ready' && (
              <span className="ml-auto">
                <IconButton
                  label="Download this export"
                  icon={Download}
                  onClick={() => void download(row)}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

async function download({ id }: ReportExport): Promise<void> {
  try {
    saveFile(await api.file(`${EXPORTS}/${id}/file`))
  } catch (error) {
    notifyProblem(error)
  }
}

/** Exports the whole report: at once if it is short, else as a file written later. */
export async function exportCsv(question: object, onOrdered: () => void): Promise<void> {
  try {
    const file = await api.download('/reports/export', {
      ...question,
      format: 'csv',
      headings: 'words',
    })
    if (file) return saveFile(file)
    notify('This report is long. Its file is being written: see Exports below.')
    onOrdered()
  } catch (error) {
    notifyProblem(error)
  }
}
