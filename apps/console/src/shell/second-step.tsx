import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { isProblem } from '../api/problem.ts'
import { session, type FactorNeeded } from '../api/session.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { ProblemNote } from '../ui/layout/states.tsx'

interface SecondStepProps {
  readonly needed: FactorNeeded
  readonly canUsePasskey: boolean
  readonly onSignedIn: () => void
  readonly onStartAgain: () => void
}

/** After the first step: a passkey, a code of an app, or a recovery code. */
export function SecondStep({ needed, canUsePasskey, onSignedIn, onStartAgain }: SecondStepProps) {
  const { signInToken, factors } = needed
  const hasApp = factors.includes('authenticator')
  const hasPasskey = factors.includes('passkey')
  const passkey = useMutation({
    mutationFn: () => session.sendPasskey(signInToken),
    onSuccess: onSignedIn,
  })
  const code = useMutation({
    mutationFn: (typed: string) => session.sendCode(signInToken, typed),
    onSuccess: onSignedIn,
  })
  const isOver = [passkey.error, code.error].some((error) => isProblem(error, 'SIGN_IN_EXPIRED'))
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-soft">Show once more that it is you.</p>
      {hasPasskey && canUsePasskey && (
        <div className="flex flex-col gap-3">
          <Button
            look={hasApp ? 'secondary' : 'primary'}
            icon={KeyRound}
            isBusy={passkey.isPending}
            onClick={() => passkey.mutate()}
          >
            Use your passkey
          </Button>
          <ProblemNote error={passkey.error} />
        </div>
      )}
      {hasPasskey && !canUsePasskey && (
        <p className="text-ink-soft">
          Your passkey does not work under this address. Open the console under its own name.
        </p>
      )}
      <CodeForm
        key={String(hasApp)}
        hasApp={hasApp}
        isBusy={code.isPending}
        error={code.error}
        onCode={code.mutate}
      />
      <LinkButton onClick={onStartAgain}>
        {isOver ? 'Begin again' : 'Sign in as somebody else'}
      </LinkButton>
    </div>
  )
}

interface CodeFormProps {
  readonly hasApp: boolean
  readonly isBusy: boolean
  readonly error: unknown
  readonly onCode: (code: string) => void
}

/** The app's code. A user who lost the phone enters a recovery code instead. */
function CodeForm({ hasApp, isBusy, error, onCode }: CodeFormProps) {
  const [isRecovering, setRecovering] = useState(!hasApp)
  const [code, setCode] = useState('')
  const [isOpen, setOpen] = useState(hasApp)
  const form = useRef<HTMLFormElement>(null)
  // The focused button has disappeared.
  useEffect(() => form.current?.querySelector('input')?.focus(), [isOpen, isRecovering])
  if (!isOpen) return <LinkButton onClick={() => setOpen(true)}>Use a recovery code</LinkButton>
  return (
    <form
      ref={form}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onCode(code)
      }}
    >
      {isRecovering ? (
        <TextField
          label="Recovery code"
          hint="One of the codes that you saved when you set this up. Each works once."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          value={code}
          onValue={setCode}
        />
      ) : (
        <TextField
          label="Code from your authenticator app"
          hint="Six digits; a new code comes every 30 seconds."
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={8}
          required
          value={code}
          onValue={setCode}
        />
      )}
      <ProblemNote error={error} />
      <Button type="submit" look="primary" isBusy={isBusy}>
        Sign in
      </Button>
      {hasApp && (
        <LinkButton
          onClick={() => {
            setRecovering(!isRecovering)
            setCode('')
          }}
        >
          {isRecovering ? 'Use the authenticator app' : 'Lost your phone? Use a recovery code'}
        </LinkButton>
      )}
    </form>
  )
}
