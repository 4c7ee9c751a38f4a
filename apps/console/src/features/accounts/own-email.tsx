import { api } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { useMe } from '../../api/me.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { ProblemNote } from '../../ui/layout/states.tsx'
import { notify } from '../../ui/overlays/toast.tsx'

const EMPTY = { email: '', currentPassword: '' }

export function OwnEmail() {
  const me = useMe()
  const ask = useChange((body: object) => api.post('/me/email', body), { touches: [] })
  const { values, set, field } = useForm(EMPTY, ask.error)
  return (
    <Card title="Change your e-mail address" className="max-w-lg">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          ask.mutate(values, {
            onSuccess: () => {
              set(EMPTY)
              notify('Open the links in both mails to change the address.')
            },
          })
        }}
      >
        <p className="text-ink-soft">
          You sign in with {me.user?.email}. A link goes to this address and to the new one; it
          changes when you have opened both.
        </p>
        <TextField label="New e-mail" type="email" required {...field('email')} />
        <TextField
          label="Your password"
          type="password"
          autoComplete="current-password"
          required
          {...field('currentPassword')}
        />
        <ProblemNote error={ask.error} />
        <div>
          <Button type="submit" isBusy={ask.isPending}>
            Send links
          </Button>
        </div>
      </form>
    </Card>
  )
}
