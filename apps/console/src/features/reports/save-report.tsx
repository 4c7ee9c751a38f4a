import type { NewRecipient } from '@placard/contract/notices'
import type { Static } from 'typebox'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMe } from '../../api/me.ts'
import type { PageOf } from '../../api/types.ts'
import { SelectField, TextField } from '../../ui/forms/fields.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { notify } from '../../ui/overlays/toast.tsx'
import { type Recipient, RECIPIENTS } from './recipient-confirmation.tsx'
import { type ReportQuestion, matterOf, PERIODS } from './question.ts'

export const SAVED = '/reports/saved'

const EVERY = [
  { value: '', label: 'Do not send' },
  { value: 'day', label: 'Every day' },
  { value: 'week', label: 'Every Monday' },
  { value: 'month', label: 'On the 1st of every month' },
]
const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))
const ME = 'me'

interface SaveReportProps {
  readonly question: ReportQuestion
  readonly zone: string
  readonly onClose: () => void
}

export function SaveReport({ question, zone, onClose }: SaveReportProps) {
  const { options, idOf } = useRecipients()
  const timeZone = question.isUtc ? 'UTC' : zone
  const save = useChange(
    async ({ to, ...report }: { readonly to: string | undefined; readonly name: string }) =>
      api.post(SAVED, { ...report, ...(to && { recipientId: await idOf(to) }) }),
    { touches: [SAVED, RECIPIENTS] },
  )
  const { values, field } = useForm(
    {
      name: '',
      period: question.period === 'custom' ? 'last-30-days' : question.period,
      every: '',
      atHour: '6',
      recipientId: ME,
    },
    save.error,
  )
  const { name, period, every, atHour, recipientId } = values
  const report = {
    name,
    timeZone,
    format: 'csv',
    question: { ...matterOf(question), period },
    to: every ? recipientId : undefined,
    ...(every && { every, atHour: Number(atHour) }),
  }
  return (
    <FormDialog
      title="Save report"
      about="Saves the settings. Relative periods stay relative."
      action="Save report"
      of={save}
      onSubmit={() =>
        save.mutate(report, { onSuccess: () => (notify(`${name} is saved.`), onClose()) })
      }
      onClose={onClose}
    >
      <TextField label="Name" required {...field('name')} />
      <SelectField
        label="Period"
        options={PERIODS.filter(({ value }) => value !== 'custom')}
        {...field('period')}
      />
      <SelectField label="Send" options={EVERY} {...field('every')} />
      {every && (
        <div className="grid grid-cols-2 gap-3">
          <SelectField label="At" hint={timeZone} options={HOURS} {...field('atHour')} />
          <SelectField label="To" hint="As CSV" options={options} {...field('recipientId')} />
        </div>
      )}
    </FormDialog>
  )
}

/** Recipients. The user who saves can choose their own address. */
function useRecipients() {
  const { user } = useMe()
  const { email = '', displayName = email } = user ?? {}
  const recipients = useRead<PageOf<Recipient>>(RECIPIENTS, { query: { limit: 200 } })
  const known = recipients.data?.items ?? []
  const isOwn = ({ mailTo }: Recipient) => mailTo.length === 1 && mailTo[0] === email
  const own = known.find(isOwn)
  const makeOwn = () =>
    api.post<Static<typeof NewRecipient>>(RECIPIENTS, { name: displayName, mailTo: [email] })
  return {
    options: [
      { value: ME, label: email },
      ...known.flatMap((other) => (isOwn(other) ? [] : [{ value: other.id, label: other.name }])),
    ],
    idOf: async (choice: string) => (choice === ME ? (own ?? (await makeOwn())).id : choice),
  }
}
