import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { finishVisit, type Visit, visitAt, visitProvider } from '../api/at-provider.ts'
import { useRead } from '../api/hooks.ts'
import { canUsePasskeys } from '../api/passkey.ts'
import type { SignInOptions } from '../api/types.ts'
import { ProblemNote, Waiting } from '../ui/layout/states.tsx'
import { SecondStep } from './second-step.tsx'
import { SignInFrame } from './sign-in-frame.tsx'
import { SignInPage } from './sign-in.tsx'

/** Where an identity provider sends the browser back to. Opened by itself, it goes there first. */
export function AtProviderPage() {
  const { provider: slug = '' } = useParams({ strict: false })
  const [visit] = useState(() => visitAt(slug))
  const navigate = useNavigate()
  const options = useRead<SignInOptions>('/auth/options')
  const goOn = () => void navigate({ to: visit?.next ?? '/', replace: true })
  const finish = useMutation({
    mutationFn: (query: string): Promise<Outcome> =>
      query === '' ? goThere(slug) : finishVisit(slug, visit, query),
    onSuccess: (outcome) => outcome === 'done' && goOn(),
  })
  useOnce(() => {
    const query = location.search.slice(1)
    // The answer works once, and does not belong into the history of the browser.
    history.replaceState(history.state, '', location.pathname)
    finish.mutate(query)
  })
  if (finish.error && visit?.why === 'connect')
    return <NotConnected error={finish.error} of={visit} />
  if (finish.error) return <SignInPage problem={finish.error} next={visit?.next} />
  if (typeof finish.data !== 'object') {
    return (
      <SignInFrame title="One moment">
        <Waiting lines={2} />
      </SignInFrame>
    )
  }
  return (
    <SignInFrame title="Second step">
      <SecondStep
        needed={finish.data}
        canUsePasskey={canUsePasskeys(options.data?.passkeyHost)}
        onSignedIn={goOn}
        onStartAgain={() => void navigate({ to: '/sign-in', replace: true })}
      />
    </SignInFrame>
  )
}

type Outcome = Awaited<ReturnType<typeof finishVisit>> | 'away'

async function goThere(slug: string): Promise<'away'> {
  await visitProvider({ slug, why: 'sign-in', next: '/' })
  return 'away'
}

/** Who connects is signed in already, and goes on as before. */
function NotConnected({ error, of }: { readonly error: unknown; readonly of: Visit }) {
  return (
    <SignInFrame title="The sign-in is not connected">
      <div className="flex flex-col gap-3">
        <ProblemNote error={error} />
        <Link to={of.next} className="text-accent hover:underline">
          Back to your account
        </Link>
      </div>
    </SignInFrame>
  )
}

/** Once per page, also where React mounts it twice. */
function useOnce(work: () => void): void {
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current) return
    isDone.current = true
    work()
  })
}
