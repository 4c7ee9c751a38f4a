import { useChange } from '../../api/hooks.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { AreaField, type Option, SelectField } from '../../ui/forms/fields.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { notify } from '../../ui/overlays/toast.tsx'

export interface Grounds {
  readonly reason_code: string
  readonly comment?: string
}

interface DecideProps {
  readonly title: string
  /** What the decision changes. */
  readonly about: string
  readonly action: string
  readonly done: string
  readonly isDangerous?: boolean
  /** Whether a comment is stored with the reason. */
  readonly isCommented?: boolean
  readonly reasons: readonly Option[]
  readonly decide: (grounds: Grounds) => Promise<unknown>
  readonly onClose: () => void
}

/** Every decision about a user needs a reason. */
export function Decide({ done, reasons, decide, isCommented = true, ...dialog }: DecideProps) {
  const change = useChange(decide, { touches: ['/internal', '/admin/sessions'] })
  const { values, field } = useForm({ reason_code: reasons[0]!.value, comment: '' }, change.error)
  const isUnsaid = isCommented && values.reason_code === 'other' && values.comment.trim() === ''
  return (
    <FormDialog
      {...dialog}
      of={change}
      isReady={!isUnsaid}
      onSubmit={() => {
        const { reason_code, comment } = values
        change.mutate(
          { reason_code, ...(comment && { comment }) },
          { onSuccess: () => (notify(done), dialog.onClose()) },
        )
      }}
    >
      <SelectField label="Reason" {...field('reason_code')} options={reasons} />
      {isCommented && (
        <AreaField
          label="Comment"
          isOptional={values.reason_code !== 'other'}
          hint="Recorded with your name."
          {...field('comment')}
        />
      )}
    </FormDialog>
  )
}
