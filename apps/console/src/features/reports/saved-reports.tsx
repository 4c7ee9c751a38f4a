import type { SavedReport as SavedReportSchema } from '@placard/contract/reports'
import { Bookmark, Send, Trash2 } from 'lucide-react'
import type { Static } from 'typebox'
import { api } from '../../api/client.ts'
import { useChange, useList } from '../../api/hooks.ts'
import { useMay, useMe } from '../../api/me.ts'
import { When } from '../../ui/amounts.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { useForm } from '../../ui/form.ts'
import { EmptyState } from '../../ui/states.tsx'
import { tell, tellProblem } from '../../ui/toast.tsx'
import { type Asked, dimensionsOf, METRICS } from './question.ts'

type SavedReport = Static<typeof SavedReportSchema>

const SAVED = '/reports/saved'
const PERIOD_OF: Readonly<Record<string, string>> = {
  '1': 'yesterday',
  '7': 'last-7-days',
  '28': 'last-30-days',
  '90': 'last-90-days',
}
const DAYS_OF: Readonly<Record<string, string>> = {
  yesterday: '1',
  'last-7-days': '7',
  'last-30-days': '28',
  'last-90-days': '90',
}

interface SavedReportsProps {
  readonly onOpen: (change: Readonly<Record<string, string | undefined>>) => void
}

/** Reports that were kept: opened again, or sent by mail at their hour. */
export function SavedReports({ onOpen }: SavedReportsProps) {
  const canChange = useMay()('reports:write')
  const { rows } = useList<SavedReport>(SAVED)
  const remove = useChange((id: string) => api.delete(`${SAVED}/${id}`), { touches: [SAVED] })
  const send = useChange((id: string) => api.post(`${SAVED}/${id}/send`), { touches: [SAVED] })
  return (
    <Card title="Saved reports" isFlush>
      {rows.length === 0 && (
        <EmptyState
          icon={Bookmark}
          title="None saved yet"
          text="Save a report to open it again, or to have it sent every day, week or month."
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
              onClick={() => onOpen(askedBy(saved))}
            >
              {saved.name}
            </button>
            <span className="text-xs text-ink-faint">
              {saved.every ? `sent every ${saved.every}` : 'not sent by itself'}
              {saved.nextDueAt && (
                <>
                  , next <When at={saved.nextDueAt} isExact />
                </>
              )}
            </span>
            {saved.failure && <span className="text-xs text-bad">{saved.failure}</span>}
            {canChange && (
              <span className="ml-auto flex gap-1">
                {saved.recipientId && (
                  <IconButton
                    label={`Send ${saved.name} now`}
                    icon={Send}
                    onClick={() =>
                      send.mutate(saved.id, {
                        onSuccess: () => tell(`${saved.name} is on its way`),
                        onError: tellProblem,
                      })
                    }
                  />
                )}
                <IconButton
                  label={`Delete ${saved.name}`}
                  icon={Trash2}
                  onClick={() => remove.mutate(saved.id, { onError: tellProblem })}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const askedBy = ({ question }: SavedReport) => ({
  by: question.dimensions[0],
  also: question.dimensions[1] ?? '',
  period: DAYS_OF[question.period] ?? '28',
})

const EVERY = [
  { value: '', label: 'Do not send it' },
  { value: 'day', label: 'Send it every day' },
  { value: 'week', label: 'Send it every week' },
  { value: 'month', label: 'Send it every month' },
]

interface SaveReportProps {
  readonly asked: Asked
  readonly zone: string
  readonly onClose: () => void
}

export function SaveReport({ asked, zone, onClose }: SaveReportProps) {
  const me = useMe()
  const save = useChange((body: object) => api.post(SAVED, body), { touches: [SAVED] })
  const { values, field } = useForm({ name: '', every: '' }, save.error)
  const body = {
    name: values.name,
    timeZone: zone,
    format: 'csv',
    question: {
      dimensions: dimensionsOf(asked),
      metrics: METRICS.map(({ value }) => value),
      period: PERIOD_OF[asked.period],
    },
    ...(values.every && { every: values.every, recipientId: me.user?.id }),
  }
  return (
    <FormDialog
      title="Save this report"
      about="Its rows and its period are kept; the days move on by themselves."
      action="Save the report"
      of={save}
      onSubmit={() => save.mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextField label="Name" required {...field('name')} />
      <SelectField
        label="By mail"
        hint={me.user ? `To ${me.user.email}, as CSV` : undefined}
        options={EVERY}
        {...field('every')}
      />
    </FormDialog>
  )
}
