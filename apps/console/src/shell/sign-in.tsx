import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowRight, Building2, KeyRound } from 'lucide-react'
import { useState, useSyncExternalStore, type SubmitEvent } from 'react'
import { visitProvider } from '../api/at-provider.ts'
import { useRead } from '../api/hooks.ts'
import { canUsePasskeys } from '../api/passkey.ts'
import { session, type SessionEnd } from '../api/session.ts'
import type { SignInOptions } from '../api/types.ts'
import { useSearchParams } from '../search-params.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { sayWord } from '../ui/format/format.ts'
import { ProblemNote } from '../ui/layout/states.tsx'
import { SecondStep } from './second-step.tsx'
import { SignInFrame, Message } from './sign-in-frame.tsx'

interface Credentials {
  readonly email: string
  readonly password: string
}

interface SignInPageProps {
  /** Why another way in has not worked. */
  readonly problem?: unknown
  /** The page that comes afterwards; else the address says it. */
  readonly next?: string | undefined
}

export function SignInPage({ problem, next: wanted }: SignInPageProps) {
  const [{ next = wanted ?? '/' }] = useSearchParams()
  const navigate = useNavigate()
  const options = useRead<SignInOptions>('/auth/options')
  const page = next.startsWith('/') ? next : '/'
  const goOn = () => void navigate({ to: page, replace: true })
  const signIn = useMutation({
    mutationFn: ({ email, password }: Credentials) => session.signIn(email, password),
    onSuccess: (needed) => needed ?? goOn(),
  })
  const canUsePasskey = canUsePasskeys(options.data?.passkeyHost)
  const needed = signIn.data
  if (needed) {
    const step = { needed, canUsePasskey, onSignedIn: goOn, onStartAgain: signIn.reset }
    return (
      <SignInFrame title="Second step">
        <SecondStep {...step} />
      </SignInFrame>
    )
  }
  const demo = options.data?.demo
  return (
    <SignInFrame title="Sign in" beside={demo && <DemoAccounts demo={demo} signIn={signIn} />}>
      <EndNote end={session.endedBy()} />
      <LeftNote />
      <div className="mb-4 empty:hidden">
        <ProblemNote error={problem} />
      </div>
      <SignInForm isBusy={signIn.isPending} error={signIn.error} onSignIn={signIn.mutate} />
      {canUsePasskey && <PasskeyAlone onSignedIn={goOn} />}
      <ProviderButtons providers={options.data?.identityProviders ?? []} next={page} />
    </SignInFrame>
  )
}

interface ProvidersProps {
  readonly providers: SignInOptions['identityProviders']
  readonly next: string
}

/** Sign-ins of companies. */
function ProviderButtons({ providers, next }: ProvidersProps) {
  const visit = useMutation({
    mutationFn: (slug: string) => visitProvider({ slug, why: 'sign-in', next }),
  })
  if (providers.length === 0) return null
  return (
    <div className="mt-4 flex flex-col gap-3 border-t pt-4">
      <ProblemNote error={visit.error} />
      {providers.map(({ slug, name }) => (
        <Button
          key={slug}
          icon={Building2}
          isBusy={visit.isPending && visit.variables === slug}
          onClick={() => visit.mutate(slug)}
        >
          Continue with {name}
        </Button>
      ))}
    </div>
  )
}

/** Who signed out here may still be signed in at the provider: the next person at this device would be let in. */
function LeftNote() {
  const address = useSyncExternalStore(session.subscribe, session.leftAt)
  if (address === undefined) return null
  return (
    <Message
      title="You are signed out of Placard"
      text={
        <>
          Your company may still know this browser.{' '}
          <a href={address} className="text-ink underline">
            Sign out there too
          </a>
        </>
      }
    />
  )
}

/** A passkey with a finger, a face or a PIN needs no password. */
function PasskeyAlone({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const passkey = useMutation({ mutationFn: () => session.sendPasskey(), onSuccess: onSignedIn })
  return (
    <div className="mt-4 flex flex-col gap-3 border-t pt-4">
      <ProblemNote error={passkey.error} />
      <Button icon={KeyRound} isBusy={passkey.isPending} onClick={() => passkey.mutate()}>
        Sign in with a passkey
      </Button>
    </div>
  )
}

interface DemoAccountsProps {
  readonly demo: NonNullable<SignInOptions['demo']>
  readonly signIn: {
    readonly isPending: boolean
    readonly mutate: (credentials: Credentials) => void
  }
}

function DemoAccounts({ demo, signIn }: DemoAccountsProps) {
  return (
    <section
      aria-labelledby="demo"
      className="overflow-hidden rounded-xl border bg-surface shadow-card"
    >
      <header className="border-b px-4 py-3">
        <h2 id="demo" className="font-semibold">
          This is a demo
        </h2>
        <p className="text-xs text-ink-faint">
          These accounts are shared. Choose a role to sign in.
        </p>
      </header>
      <ul>
        {demo.signIns.map(({ role, email, of }) => (
          <li key={email} className="not-last:border-b">
            <button
              type="button"
              disabled={signIn.isPending}
              onClick={() => signIn.mutate({ email, password: demo.password })}
              className="group flex w-full items-center gap-3 px-4 py-2.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{sayWord(role)}</span>
                <span className="block truncate text-xs text-ink-faint">{of}</span>
              </span>
              <ArrowRight className="size-4 text-ink-faint group-hover:text-accent" aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Tells a user who was signed out why, and what to do. */
function EndNote({ end }: { readonly end: SessionEnd | undefined }) {
  if (!end) return null
  const { title, text } = ENDS[end.why]
  return <Message title={title} text={end.words ?? text} />
}

const ENDS: Record<SessionEnd['why'], { title: string; text: string }> = {
  blocked: {
    title: 'Your session was blocked to protect your account',
    text: 'It looked as if someone else used it. Sign in again and change your password. If you are blocked again, ask the operator of your platform.',
  },
  over: {
    title: 'You have been signed out',
    text: 'Your session has ended. Sign in again to continue.',
  },
}

interface FormProps {
  readonly isBusy: boolean
  readonly error: unknown
  readonly onSignIn: (credentials: Credentials) => void
}

function SignInForm({ isBusy, error, onSignIn }: FormProps) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSignIn({ email, password })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        value={email}
        onValue={setEmail}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onValue={setPassword}
      />
      <ProblemNote error={error} />
      <Button type="submit" look="primary" isBusy={isBusy}>
        Sign in
      </Button>
      <Link to="/forgot-password" className="text-xs text-ink-soft hover:underline">
        Forgot your password?
      </Link>
    </form>
  )
}
