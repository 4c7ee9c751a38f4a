import { api } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { ProblemNote } from '../../ui/layout/states.tsx'
import { notify } from '../../ui/overlays/toast.tsx'

const EMPTY = { currentPassword: '', newPassword: '' }

export function Password() {
  const change = useChange((body: object) => api.post('/me/password', body), {
    touches: ['/me'],
  })
  const { values, set, field } = useForm(EMPTY, change.error)
  return (
    <Card title="Change your password" className="max-w-lg">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate(values, {
            onSuccess: () => {
              set(EMPTY)
              notify('Your password has been changed.')
            },
          })
        }}
      >
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          {...field('currentPassword')}
        />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          hint="At least 12 characters. Several words are easy to remember."
          required
          {...field('newPassword')}
        />
        <ProblemNote error={change.error} />
        <div>
          <Button type="submit" look="primary" isBusy={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  )
}
