import { SelectField, TextField } from '../../ui/fields.tsx'
import type { useForm } from '../../ui/form.ts'

const WINDOWS = [
  { value: 'Hour', label: 'an hour' },
  { value: 'Day', label: 'a day' },
  { value: 'Week', label: 'a week' },
  { value: 'Month', label: 'a month' },
  { value: 'Lifetime', label: 'all time' },
]

export const sayWindow = (window: string) =>
  WINDOWS.find(({ value }) => value === window)?.label ?? window

export const NEW_CAP = { maxImpressionsPerUser: '3', window: 'Day' }

/** How often in which time; whatever is capped. */
export function CapFields({
  field,
}: {
  readonly field: ReturnType<typeof useForm<keyof typeof NEW_CAP>>['field']
}) {
  return (
    <>
      <TextField
        label="At most, times"
        type="number"
        min={1}
        required
        {...field('maxImpressionsPerUser')}
      />
      <SelectField label="In" options={WINDOWS} {...field('window')} />
    </>
  )
}
