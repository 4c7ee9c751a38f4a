import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import type { SignInOptions } from '../../api/types.ts'
import { SignInFrame, Message } from '../../shell/sign-in-frame.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { ProblemNote } from '../../ui/layout/states.tsx'

/** The part after `#`, which is in no log and sent to no server. */
const tokenOf = () => location.hash.slice(1)

const toSignIn = (
  <Link to="/sign-in" className="text-accent hover:underline">
    Go to sign in
  </Link>
)

export function ForgotPasswordPage() {
  const options = useRead<SignInOptions>('/auth/options')
  const ask = useMutation({
    mutationFn: (body: object) => api.post('/auth/forgot-password', body),
  })
  const { values, field } = useForm({ email: '' }, ask.error)
  return (
    <SignInFrame title="Forgot your password?">
      {options.data?.sendsMail === false ? (
        <Message
          title="Mail is not set up"
          text="Ask the operator of your platform for a link to choose a new password."
        />
      ) : ask.isSuccess ? (
        <Message
          title="Check your mail"
          text="If an account has this address, we have sent a link to it. It works once, within an hour."
        />
      ) : (
        <form
          className="mb-4 flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            ask.mutate(values)
          }}
        >
          <TextField
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            {...field('email')}
          />
          <ProblemNote error={ask.error} />
          <Button type="submit" look="primary" isBusy={ask.isPending}>
            Send me a link
          </Button>
        </form>
      )}
      {toSignIn}
    </SignInFrame>
  )
}

export const AcceptInvitationPage = () => (
  <ChoosePassword title="Welcome to Placard" action="Save password" />
)

export const ResetPasswordPage = () => (
  <ChoosePassword title="Choose a new password" action="Change password" />
)

function ChoosePassword({ title, action }: { readonly title: string; readonly action: string }) {
  const [token] = useState(tokenOf)
  const choose = useMutation({
    mutationFn: (body: object) => api.post('/auth/choose-password', body),
  })
  const { values, field } = useForm({ password: '' }, choose.error)
  if (choose.isSuccess) {
    return (
      <SignInFrame title={title}>
        <Message title="Your password is saved" text="You can sign in with it now." />
        {toSignIn}
      </SignInFrame>
    )
  }
  return (
    <SignInFrame title={title}>
      <form
        className="mb-4 flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          choose.mutate({ linkToken: token, ...values })
        }}
      >
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          hint="At least 12 characters. Several words are easy to remember."
          required
          {...field('password')}
        />
        <ProblemNote error={choose.error} />
        <Button type="submit" look="primary" isBusy={choose.isPending}>
          {action}
        </Button>
      </form>
      {toSignIn}
    </SignInFrame>
  )
}

export function ConfirmEmailPage() {
  const [token] = useState(tokenOf)
  const confirm = useMutation({
    mutationFn: () => api.post<{ isChanged: boolean }>('/auth/confirm-email', { linkToken: token }),
  })
  return (
    <SignInFrame title="Confirm the new e-mail address">
      {confirm.data ? (
        <Message
          title={confirm.data.isChanged ? 'The address is changed' : 'Thank you'}
          text={
            confirm.data.isChanged
              ? 'Sign in with the new address from now on.'
              : 'The address changes as soon as the other address is confirmed too.'
          }
        />
      ) : (
        <div className="mb-4 flex flex-col gap-3">
          <p className="text-ink-soft">The address changes after both addresses are confirmed.</p>
          <ProblemNote error={confirm.error} />
          <Button look="primary" isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
            Confirm
          </Button>
        </div>
      )}
      {toSignIn}
    </SignInFrame>
  )
}

export function ConfirmRecipientPage() {
  const [token] = useState(tokenOf)
  const confirm = useMutation({
    mutationFn: () => api.post<{ address: string }>('/recipients/confirm', { linkToken: token }),
  })
  return (
    <SignInFrame title="Reports and alerts by mail">
      {confirm.data ? (
        <Message
          title="Thank you"
          text={`Reports and alerts come to ${confirm.data.address} from now on.`}
        />
      ) : (
        <div className="mb-4 flex flex-col gap-3">
          <p className="text-ink-soft">
            Someone wants to send you reports and alerts. You get nothing unless you confirm.
          </p>
          <ProblemNote error={confirm.error} />
          <Button look="primary" isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
            Confirm
          </Button>
        </div>
      )}
    </SignInFrame>
  )
}
