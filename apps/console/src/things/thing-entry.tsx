import type { ReactNode } from 'react'
import { useMe } from '../api/me.ts'
import type { Me } from '../api/types.ts'
import type { Choice } from '../ui/forms/choices.ts'
import {
  AreaField,
  type Option,
  SelectField,
  SwitchField,
  TextField,
  MoneyField,
} from '../ui/forms/fields.tsx'
import { ChoicePicker, ChoicePickers } from '../ui/forms/search-picker.tsx'
import { zonesWith } from '../ui/forms/zones.ts'
import { PickThing } from './pick-thing.tsx'
import type { FormValue, ThingField } from './thing.ts'

interface EntryProps {
  readonly field: ThingField
  readonly value: FormValue
  readonly onValue: (value: FormValue) => void
  readonly fault: string | undefined
  readonly hint: string | undefined
  /** Of the amounts in the form. */
  readonly currency: string
}

/** The input of one field. */
export function ThingEntry(props: EntryProps): ReactNode {
  const { field, value, onValue, fault, hint } = props
  const { label, entry, isOptional = false } = field
  if (entry.as === 'switch') {
    return (
      <SwitchField
        label={label}
        isOn={value === true}
        onToggle={onValue}
        {...(hint !== undefined && { hint })}
      />
    )
  }
  const shape = { label, fault, isOptional, ...(hint !== undefined && { hint }) }
  if (entry.as === 'choices') {
    const values = Array.isArray(value) ? value.map(String) : []
    return <ChoiceEntries {...shape} options={entry.options} values={values} onValues={onValue} />
  }
  return <TextEntry {...props} shape={shape} />
}

interface ChoicesProps extends Shape {
  readonly options: readonly Choice[] | ((me: Me) => readonly Choice[])
  readonly values: readonly string[]
  readonly onValues: (values: readonly string[]) => void
}

function ChoiceEntries({ options, ...rest }: ChoicesProps) {
  const me = useMe()
  const choices = typeof options === 'function' ? options(me) : options
  return <ChoicePickers {...rest} choices={choices} />
}

interface Shape {
  readonly label: string
  readonly fault: string | undefined
  readonly isOptional: boolean
  readonly hint?: string
}

function TextEntry({
  field,
  value: given,
  onValue,
  currency,
  shape,
}: EntryProps & { readonly shape: Shape }): ReactNode {
  const { entry } = field
  const value = typeof given === 'string' ? given : ''
  const text = { ...shape, value, onValue, required: !shape.isOptional }
  const picked = { ...shape, value, onValue }
  switch (entry.as) {
    case 'number':
      return <TextField type="number" min={0} {...text} />
    case 'money':
      return <MoneyField currency={currency} {...text} />
    case 'area':
      return <AreaField placeholder={entry.example} {...text} />
    case 'lines':
      return <AreaField rows={4} placeholder={entry.example} {...text} />
    case 'choice':
      return <SelectField {...picked} options={choicesWith(entry.options, value, shape)} />
    case 'instant':
      return <TextField type="datetime-local" {...text} />
    case 'zone':
      return <ChoicePicker {...picked} choices={zonesWith(value || 'UTC')} />
    case 'currency':
      return <ChoicePicker {...picked} choices={CURRENCIES} />
    case 'thing':
      return <PickThing {...picked} of={entry.of} makeAt={entry.makeAt} />
    case 'text':
      return (
        <TextField
          type={entry.type ?? 'text'}
          autoComplete="off"
          {...(entry.example !== undefined && { placeholder: entry.example })}
          {...text}
        />
      )
    case 'choices':
    case 'switch':
      return null
  }
}

/** Without a value there is a line for it, so that nothing is chosen unseen. */
const choicesWith = (options: readonly Option[], value: string, { isOptional }: Shape) =>
  value === '' ? [{ value: '', label: isOptional ? 'None' : 'Choose …' }, ...options] : options

const names = new Intl.DisplayNames('en', { type: 'currency' })
const CURRENCIES = Intl.supportedValuesOf('currency').map((code) => ({
  value: code,
  label: code,
  note: names.of(code) ?? code,
}))
