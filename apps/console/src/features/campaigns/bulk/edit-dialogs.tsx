import { type ReactNode, useState } from 'react'
import { useZone } from '../../../api/me.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/forms/fields.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import {
  AMOUNT_WAYS,
  type AmountName,
  AMOUNTS,
  amountEdit,
  type AmountWay,
  DATE_WAYS,
  dateEdit,
  type DateWay,
  type Edit,
  labelsEdit,
} from './edits.ts'

interface EditDialogProps {
  /** "3 campaigns" */
  readonly what: string
  readonly onEdit: (edit: Edit) => void
  readonly onClose: () => void
}

/** Asks for budgets or bids. Nothing changes before the preview. */
export function AmountDialog({
  what,
  currencies,
  onEdit,
  onClose,
}: EditDialogProps & { readonly currencies: readonly string[] }) {
  const [name, setName] = useState<AmountName>('budgetDaily')
  const [way, setWay] = useState<AmountWay>('raise')
  const [text, setText] = useState('')
  const [currency, setCurrency] = useState(currencies[0] ?? 'EUR')
  const edit = amountEdit({ name, way, text, currency })
  const ways = AMOUNT_WAYS.filter(({ value }) => value !== 'remove' || name !== 'bids')
  return (
    <EditDialog title={`Budgets and bids of ${what}`} {...{ edit, onEdit, onClose }}>
      <SelectField label="Amount" value={name} onValue={setName} options={AMOUNTS} />
      <SelectField label="Change" value={way} onValue={setWay} options={ways} />
      {way === 'set' && currencies.length > 1 && (
        <SelectField
          label="Currency"
          hint="Rows in another currency are left as they are, and named."
          value={currency}
          onValue={setCurrency}
          options={currencies.map((value) => ({ value, label: value }))}
        />
      )}
      {way !== 'remove' && (
        <TextField
          label={way === 'set' ? 'New amount' : 'Percent'}
          inputMode="decimal"
          autoComplete="off"
          suffix={way === 'set' ? currency : '%'}
          value={text}
          onValue={setText}
        />
      )}
    </EditDialog>
  )
}

/** Asks for new dates. */
export function DatesDialog({ what, onEdit, onClose }: EditDialogProps) {
  const zone = useZone()
  const [way, setWay] = useState<DateWay>('end')
  const [at, setAt] = useState('')
  const [days, setDays] = useState('')
  const edit = dateEdit({ way, at, days, zone })
  return (
    <EditDialog title={`Dates of ${what}`} {...{ edit, onEdit, onClose }}>
      <SelectField label="Change" value={way} onValue={setWay} options={DATE_WAYS} />
      {(way === 'start' || way === 'end') && (
        <TextField
          label={way === 'start' ? 'Starts' : 'Ends'}
          hint={`Time in ${zone}`}
          type="datetime-local"
          value={at}
          onValue={setAt}
        />
      )}
      {way === 'shift' && (
        <TextField
          label="Days"
          hint="7 moves a week later, −7 a week earlier"
          inputMode="numeric"
          value={days}
          onValue={(text) => setDays(text.replace('−', '-'))}
        />
      )}
    </EditDialog>
  )
}

const LABEL_WAYS = [
  { value: 'add', label: 'Add' },
  { value: 'remove', label: 'Take away' },
] as const

/** Asks for exclusion labels. */
export function LabelsDialog({ what, onEdit, onClose }: EditDialogProps) {
  const [way, setWay] = useState<(typeof LABEL_WAYS)[number]['value']>('add')
  const [text, setText] = useState('')
  const edit = labelsEdit(way, text)
  return (
    <EditDialog title={`Exclusion labels of ${what}`} {...{ edit, onEdit, onClose }}>
      <SelectField label="Change" value={way} onValue={setWay} options={LABEL_WAYS} />
      <TextField
        label="Labels"
        hint="Separated by commas. A page shows no two ads of campaigns that share a label."
        placeholder="cars, airlines"
        value={text}
        onValue={setText}
      />
    </EditDialog>
  )
}

interface FrameProps extends Omit<EditDialogProps, 'what'> {
  readonly title: string
  /** Undefined while the fields say nothing yet. */
  readonly edit: Edit | undefined
  readonly children: ReactNode
}

function EditDialog({ title, edit, onEdit, onClose, children }: FrameProps) {
  return (
    <Dialog title={title} about="You see every change before it is made." isOpen onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (edit) onEdit(edit)
        }}
      >
        {children}
        <div className="mt-2 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={!edit}>
            Preview
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
