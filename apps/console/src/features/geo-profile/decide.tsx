import { useChange } from '../../api/hooks.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { AreaField, type Option, SelectField } from '../../ui/fields.tsx'
import { useForm } from '../../ui/form.ts'
import { ProblemNote } from '../../ui/states.tsx'
import { tell } from '../../ui/toast.tsx'

export interface Grounds {
  readonly reason_code: string
  readonly comment?: string
}

interface DecideProps {
  readonly title: string
  /** What will be so afterwards. */
  readonly about: string
  readonly action: string
  readonly done: string
  readonly isDangerous?: boolean
  readonly reasons: readonly Option[]
  readonly decide: (grounds: Grounds) => Promise<unknown>
  readonly onClose: () => void
}

/** Nothing is decided about a person without a reason. */
export function Decide({
  title,
  about,
  action,
  done,
  reasons,
  decide,
  onClose,
  ...look
}: DecideProps) {
  const change = useChange(decide, { touches: ['/internal', '/admin/sessions'] })
  const { values, field } = useForm({ reason_code: reasons[0]!.value, comment: '' }, change.error)
  const isUnsaid = values.reason_code === 'other' && values.comment.trim() === ''
  return (
    <Dialog title={title} about={about} isOpen onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          const { reason_code, comment } = values
          change.mutate(
            { reason_code, ...(comment && { comment }) },
            { onSuccess: () => (tell(done), onClose()) },
          )
        }}
      >
        <SelectField label="Reason" {...field('reason_code')} options={reasons} />
        <AreaField
          label="Comment"
          isOptional={values.reason_code !== 'other'}
          hint="Kept with your name, for whoever looks next."
          {...field('comment')}
        />
        <ProblemNote error={change.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Keep as it is</Button>
          <Button
            type="submit"
            look={look.isDangerous ? 'danger' : 'primary'}
            disabled={isUnsaid}
            isBusy={change.isPending}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
