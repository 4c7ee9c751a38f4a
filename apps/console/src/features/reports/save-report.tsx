import type { NewRecipient } from '@placard/contract/notices'
import type { Static } from 'typebox'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMay, useMe } from '../../api/me.ts'
import type { PageOf, SignInOptions } from '../../api/types.ts'
import { SelectField, TextField } from '../../ui/forms/fields.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { notify } from '../../ui/overlays/toast.tsx'
import type { User } from '../accounts/user-help.tsx'
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
const ANOTHER = 'another'

interface SaveReportProps {
  readonly question: ReportQuestion
  readonly zone: string
  readonly onClose: () => void
}

interface Saving {
  readonly name: string
  readonly to: string | undefined
  /** For another address than the known ones. */
  readonly address: string
}

export function SaveReport({ question, zone, onClose }: SaveReportProps) {
  const { options, idOf } = useRecipients()
  const timeZone = question.isUtc ? 'UTC' : zone
  const save = useChange(
    async ({ to, address, ...report }: Saving) =>
      api.post(SAVED, { ...report, ...(to && { recipientId: await idOf(to, address) }) }),
    { touches: [SAVED, RECIPIENTS] },
  )
  const { values, field } = useForm(
    {
      name: '',
      period: question.period === 'custom' ? 'last-30-days' : question.period,
      every: '',
      atHour: '6',
      recipientId: ME,
      address: '',
    },
    save.error,
  )
  const { name, period, every, atHour, recipientId, address } = values
  const report = {
    name,
    timeZone,
    format: 'csv',
    question: { ...matterOf(question), period },
    to: every ? recipientId : undefined,
    address,
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
      {every && recipientId === ANOTHER && (
        <TextField
          label="Address"
          type="email"
          required
          hint="Its owner is asked before the first report is sent."
          {...field('address')}
        />
      )}
      {every && <MailNote />}
    </FormDialog>
  )
}

/** Without a mail server, a schedule sends nothing. */
function MailNote() {
  const options = useRead<SignInOptions>('/auth/options')
  if (options.data?.sendsMail !== false) return null
  return (
    <p role="status" className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
      No mail server is set up, so nothing can be sent yet. An operator sets <code>SMTP_URL</code>.
    </p>
  )
}

/** Who can get the report: the user who saves it, known recipients, people of the account, any address. */
function useRecipients() {
  const { user } = useMe()
  const { email = '', displayName = email } = user ?? {}
  const recipients = useRead<PageOf<Recipient>>(RECIPIENTS, { query: { limit: 200 } })
  const people = useRead<PageOf<User>>('/admin/users', {
    query: { limit: 200 },
    when: useMay()('users:read'),
  })
  const known = recipients.data?.items ?? []
  const knownAt = (address: string) =>
    known.find(({ mailTo }) => mailTo.length === 1 && mailTo[0] === address)
  const others = known.filter((one) => one !== knownAt(email))
  const strangers = (people.data?.items ?? []).filter(
    (one) => one.email !== email && knownAt(one.email) === undefined,
  )
  const idAt = async (address: string, name: string) => {
    const found = knownAt(address)
    if (found) return found.id
    const body = { name, mailTo: [address] }
    return (await api.post<Static<typeof NewRecipient>>(RECIPIENTS, body)).id
  }
  return {
    options: [
      { value: ME, label: email },
      ...others.map(({ id, name }) => ({ value: id, label: name })),
      ...strangers.map((one) => ({ value: one.email, label: `${one.displayName}, ${one.email}` })),
      { value: ANOTHER, label: 'Another address …' },
    ],
    /** Makes a recipient of an address that is none yet. */
    async idOf(choice: string, address: string) {
      if (choice === ME) return idAt(email, displayName)
      if (choice === ANOTHER) return idAt(address, address)
      const person = strangers.find((one) => one.email === choice)
      return person ? idAt(person.email, person.displayName) : choice
    },
  }
}
