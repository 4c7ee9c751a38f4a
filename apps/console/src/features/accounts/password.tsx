import { api } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/fields.tsx'
import { useForm } from '../../ui/form.ts'
import { ProblemNote } from '../../ui/states.tsx'
import { tell } from '../../ui/toast.tsx'

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
              tell('Your password has been changed.')
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
