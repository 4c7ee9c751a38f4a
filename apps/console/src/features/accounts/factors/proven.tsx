import { useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { use, useState } from 'react'
import { api } from '../../../api/client.ts'
import { useChange, useRead } from '../../../api/hooks.ts'
import { canUsePasskeys, askPasskey } from '../../../api/passkey.ts'
import { MeContext } from '../../../api/me.ts'
import { isProblem } from '../../../api/problem.ts'
import { session } from '../../../api/session.ts'
import type { OwnFactors, PasskeyChallenge, SignInOptions } from '../../../api/types.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/forms/fields.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { Confirm } from '../../../ui/overlays/dialog.tsx'
import { notifyProblem } from '../../../ui/overlays/toast.tsx'

export const FACTORS = '/me/factors'
const PROOF = '/me/proof'

/**
 * A change of the second step needs a proof from the last ten minutes. `onError(again)` asks for it
 * if the server requires it, and then repeats the change.
 */
export function useProven() {
  const [again, setAgain] = useState<() => void>()
  const onError = (repeat: () => void) => (error: unknown) =>
    isProblem(error, 'PROOF_NEEDED') ? setAgain(() => repeat) : notifyProblem(error)
  const close = () => setAgain(undefined)
  const hasNothing = useHasNothing()
  const dialog =
    again && hasNothing ? (
      <SignInAgain onClose={close} />
    ) : (
      again && (
        <ConfirmYou
          onProven={() => {
            close()
            again()
          }}
          onClose={close}
        />
      )
    )
  return { onError, dialog }
}

/** Whoever comes from an identity provider and has no second step here can only come again. */
function useHasNothing(): boolean {
  const user = use(MeContext)?.user
  return user?.signsInBy === 'provider' && !user.hasFactor
}

const SignInAgain = ({ onClose }: { readonly onClose: () => void }) => (
  <Confirm
    title="Is it still you?"
    text="Your sign-in is a while ago. Sign in again with your company, then change this within ten minutes."
    action="Sign in again"
    isOpen
    onClose={onClose}
    onConfirm={() => void session.signOut()}
  />
)

interface ConfirmYouProps {
  readonly onProven: () => void
  readonly onClose: () => void
}

function ConfirmYou({ onProven, onClose }: ConfirmYouProps) {
  const factors = useQueryClient().getQueryData<OwnFactors>([FACTORS, {}])
  const hasApp = factors?.items.some(({ kind }) => kind === 'authenticator') ?? false
  const [way, setWay] = useState<'password' | 'code'>('password')
  const [typed, setTyped] = useState('')
  const prove = useChange((body: object) => api.post(`${PROOF}/${way}`, body), { touches: [] })
  const other = way === 'password' ? 'code' : 'password'
  return (
    <FormDialog
      title="Is it still you?"
      about="Before this changes, show once more that it is you."
      action="Continue"
      of={prove}
      onSubmit={() => prove.mutate({ [way]: typed }, { onSuccess: onProven })}
      onClose={onClose}
    >
      <TextField key={way} {...FIELDS[way]} required value={typed} onValue={setTyped} />
      {hasApp && (
        <LinkButton
          onClick={() => {
            setWay(other)
            setTyped('')
          }}
        >
          Use your {other === 'code' ? 'authenticator app' : 'password'} instead
        </LinkButton>
      )}
      <ByPasskey factors={factors} onProven={onProven} />
    </FormDialog>
  )
}

const FIELDS = {
  password: { label: 'Your password', type: 'password', autoComplete: 'current-password' },
  code: {
    label: 'Code from your authenticator app',
    inputMode: 'numeric',
    autoComplete: 'one-time-code',
  },
} as const

interface ByPasskeyProps {
  readonly factors: OwnFactors | undefined
  readonly onProven: () => void
}

function ByPasskey({ factors, onProven }: ByPasskeyProps) {
  const options = useRead<SignInOptions>('/auth/options')
  const prove = useChange(
    async () => {
      const challenge = await api.post<PasskeyChallenge>(`${PROOF}/passkey-challenge`)
      return api.post(`${PROOF}/passkey`, { credential: await askPasskey(challenge) })
    },
    { touches: [] },
  )
  const hasPasskey = factors?.items.some(({ kind }) => kind === 'passkey') ?? false
  if (!hasPasskey || !canUsePasskeys(options.data?.passkeyHost)) return null
  return (
    <Button
      icon={KeyRound}
      isBusy={prove.isPending}
      onClick={() => prove.mutate(undefined, { onSuccess: onProven, onError: notifyProblem })}
    >
      Use your passkey
    </Button>
  )
}
