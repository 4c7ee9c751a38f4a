import type { SavedReport as SavedReportSchema } from '@placard/contract/reports'
import { Bookmark, Send, Trash2 } from 'lucide-react'
import type { Static } from 'typebox'
import { api } from '../../api/client.ts'
import { useChange, useList } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import { When } from '../../ui/format/amounts.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import type { ReportQuestion } from './question.ts'
import { type Recipient, RECIPIENTS, RecipientConfirmation } from './recipient-confirmation.tsx'
import { SAVED } from './save-report.tsx'

type SavedReport = Static<typeof SavedReportSchema>

interface SavedReportsProps {
  readonly onOpen: (question: ReportQuestion) => void
}

/** Saved reports, opened again or sent on a schedule. */
export function SavedReports({ onOpen }: SavedReportsProps) {
  const canChange = useMay()('reports:write')
  const { rows } = useList<SavedReport>(SAVED)
  const { rows: recipients } = useList<Recipient>(RECIPIENTS)
  const remove = useChange((id: string) => api.delete(`${SAVED}/${id}`), { touches: [SAVED] })
  const send = useChange((id: string) => api.post(`${SAVED}/${id}/send`), { touches: [SAVED] })
  return (
    <Card title="Saved reports" isFlush>
      {rows.length === 0 && (
        <EmptyState
          icon={Bookmark}
          title="No saved reports yet"
          text="Save a report to open it later or to receive it every day, week or month."
        />
      )}
      <ul>
        {rows.map((saved) => (
          <li
            key={saved.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 not-last:border-b"
          >
            <button
              type="button"
              className="font-medium hover:underline"
              onClick={() => onOpen(questionBy(saved))}
            >
              {saved.name}
            </button>
            <span className="text-xs text-ink-faint">
              {saved.every ? `sent every ${saved.every}` : 'not scheduled'}
              {saved.nextDueAt && (
                <>
                  , next <When at={saved.nextDueAt} isExact />
                </>
              )}
            </span>
            {saved.failure && <span className="text-xs text-bad">{saved.failure}</span>}
            <RecipientConfirmation
              recipient={recipients.find(({ id }) => id === saved.recipientId)}
              canAsk={canChange}
            />
            {canChange && (
              <span className="ml-auto flex gap-1">
                {saved.recipientId && (
                  <IconButton
                    label={`Send ${saved.name} now`}
                    icon={Send}
                    onClick={() =>
                      send.mutate(saved.id, {
                        onSuccess: () => notify(`${saved.name} is being sent.`),
                        onError: notifyProblem,
                      })
                    }
                  />
                )}
                <IconButton
                  label={`Delete ${saved.name}`}
                  icon={Trash2}
                  onClick={() => remove.mutate(saved.id, { onError: notifyProblem })}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The settings of a saved report. */
function questionBy({ question, timeZone }: SavedReport): ReportQuestion {
  const { dimensions, metrics, period, sort } = question
  const { channel = [], ...filters } = question.filters ?? {}
  const hasAllChannels = channel.length > 1
  const drawn = sort?.[0]?.by ?? ''
  return {
    dimensions,
    metrics,
    picture: (metrics as string[]).includes(drawn) ? drawn : metrics[0]!,
    period,
    from: '',
    to: '',
    isCompared: false,
    isUtc: timeZone === 'UTC',
    hasAllChannels,
    filters: { ...filters, ...(channel.length === 1 && { channel }) },
  }
}
