import { SelectField, TextField } from '../../ui/forms/fields.tsx'
import type { useForm } from '../../ui/forms/form.ts'

const WINDOWS = [
  { value: 'Hour', label: 'hour' },
  { value: 'Day', label: 'day' },
  { value: 'Week', label: 'week' },
  { value: 'Month', label: 'month' },
  { value: 'Lifetime', label: 'user lifetime' },
]

export const sayWindow = (window: string) =>
  WINDOWS.find(({ value }) => value === window)?.label ?? window

export const NEW_CAP = { maxImpressionsPerUser: '3', window: 'Day' }

/** Maximum and window of a cap. */
export function CapFields({
  field,
}: {
  readonly field: ReturnType<typeof useForm<keyof typeof NEW_CAP>>['field']
}) {
  return (
    <>
      <TextField
        label="Maximum impressions"
        type="number"
        min={1}
        required
        {...field('maxImpressionsPerUser')}
      />
      <SelectField label="Per" options={WINDOWS} {...field('window')} />
    </>
  )
}
