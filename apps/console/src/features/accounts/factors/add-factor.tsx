import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useChange } from '../../../api/hooks.ts'
import { makePasskey } from '../../../api/passkey.ts'
import type { AddedFactor, NewAuthenticator, NewPasskey } from '../../../api/types.ts'
import { sayDevice } from '../../../ui/format/device-name.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/forms/fields.tsx'
import { useForm } from '../../../ui/forms/form.ts'
import { ProblemNote } from '../../../ui/layout/states.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { FACTORS, useProven } from './proven.tsx'

interface AddProps {
  readonly onAdded: (added: AddedFactor) => void
}

/** The two kinds of second step, each with an explanation. */
export function AddFactor({
  canAddPasskey,
  onAdded,
}: AddProps & { readonly canAddPasskey: boolean }) {
  const proven = useProven()
  const begin = useChange(() => api.post<NewAuthenticator>(`${FACTORS}/authenticator`), {
    touches: [],
  })
  const start = () => begin.mutate(undefined, { onError: proven.onError(start) })
  if (begin.data) return <ConfirmAuthenticator of={begin.data} onAdded={onAdded} />
  return (
    <div className="flex flex-col gap-4">
      <Way
        title="Authenticator app"
        text="An app on your phone shows six digits that change every 30 seconds."
        action="Set up an app"
        isBusy={begin.isPending}
        onStart={start}
      />
      {canAddPasskey ? (
        <AddPasskey onAdded={onAdded} />
      ) : (
        <p className="text-xs text-ink-faint">
          Passkeys do not work under this address: they need a name and TLS.
        </p>
      )}
      {proven.dialog}
    </div>
  )
}

interface WayProps {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly isBusy: boolean
  readonly onStart: () => void
}

const Way = ({ title, text, action, isBusy, onStart }: WayProps) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
    <div className="min-w-52 flex-1">
      <p className="font-medium">{title}</p>
      <p className="text-ink-soft">{text}</p>
    </div>
    <Button isBusy={isBusy} onClick={onStart}>
      {action}
    </Button>
  </div>
)

function AddPasskey({ onAdded }: AddProps) {
  const proven = useProven()
  const add = useChange(
    async () => {
      const options = await api.post<NewPasskey>(`${FACTORS}/passkey-challenge`)
      const credential = await makePasskey(options)
      const name = sayDevice(navigator.userAgent)
      return api.post<AddedFactor>(`${FACTORS}/passkey`, { name, credential })
    },
    { touches: [FACTORS] },
  )
  const start = () => add.mutate(undefined, { onSuccess: onAdded, onError: proven.onError(start) })
  return (
    <>
      <Way
        title="Passkey"
        text="Your fingerprint, face or PIN on this device, on your phone, or a security key."
        action="Add a passkey"
        isBusy={add.isPending}
        onStart={start}
      />
      {proven.dialog}
    </>
  )
}

/** The app gets the secret by a QR code, a link or by hand, and sends back its first code. */
function ConfirmAuthenticator({ of, onAdded }: AddProps & { readonly of: NewAuthenticator }) {
  const confirm = useChange(
    (body: object) => api.post<AddedFactor>(`${FACTORS}/authenticator/confirm`, body),
    { touches: [FACTORS] },
  )
  const { values, field } = useForm({ name: 'My phone', code: '' }, confirm.error)
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        confirm.mutate(values, { onSuccess: onAdded })
      }}
    >
      <div className="flex flex-wrap gap-4">
        <QrCode label="QR code for your authenticator app" text={of.address} />
        <div className="flex min-w-48 flex-1 flex-col gap-2">
          <p>Scan this with an authenticator app on your phone.</p>
          <p className="text-ink-soft">
            On this phone?{' '}
            <a href={of.address} className="text-accent underline">
              Open it in your app
            </a>
            .
          </p>
          <SecretByHand secret={of.secret} />
        </div>
      </div>
      <TextField
        label="Code that the app shows now"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={8}
        required
        {...field('code')}
      />
      <TextField
        label="Name"
        hint="To tell it from others that you may add."
        maxLength={60}
        required
        {...field('name')}
      />
      <ProblemNote error={confirm.error} />
      <div>
        <Button type="submit" look="primary" isBusy={confirm.isPending}>
          Turn on
        </Button>
      </div>
    </form>
  )
}

function SecretByHand({ secret }: { readonly secret: string }) {
  const [isShown, setShown] = useState(false)
  if (!isShown) {
    return (
      <div>
        <Button look="ghost" onClick={() => setShown(true)}>
          Cannot scan? Show the key
        </Button>
      </div>
    )
  }
  return (
    <p className="rounded-md bg-sunken p-2 font-mono text-xs break-all select-all">
      {secret.match(/.{1,4}/g)?.join(' ')}
    </p>
  )
}
