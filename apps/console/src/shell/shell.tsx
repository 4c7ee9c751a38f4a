import { Outlet, useRouter } from '@tanstack/react-router'
import { ShieldOff } from 'lucide-react'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { queries, useRead } from '../api/hooks.ts'
import { MeContext, useMay } from '../api/me.ts'
import { session } from '../api/session.ts'
import type { Me } from '../api/types.ts'
import { EmptyState, ProblemState, Waiting } from '../ui/layout/states.tsx'
import { Find } from './find.tsx'
import { SideBar, TopBar } from './navigation.tsx'

const MustSetUp = lazy(async () => ({
  default: (await import('../features/accounts/factors/must-set-up.tsx')).MustSetUp,
}))

/** Every page behind the sign-in: navigation beside the page. */
export function Shell() {
  const isOpen = useSyncExternalStore(session.subscribe, session.isOpen)
  useEffect(() => {
    if (!isOpen) queries.clear()
  }, [isOpen])
  return isOpen ? <SignedIn /> : <ToSignIn />
}

/** Redirects once: the address changes meanwhile, and must not redirect again. */
function ToSignIn() {
  const router = useRouter()
  useEffect(() => {
    const search = { next: router.state.location.href }
    void router.navigate({ to: '/sign-in', search, replace: true })
  }, [router])
  return null
}

function SignedIn() {
  const me = useRead<Me>('/me')
  const [isSettingUp, setSettingUp] = useState(false)
  if (me.error && !me.data) {
    return (
      <main className="grid h-full place-items-center">
        <ProblemState error={me.error} retry={() => void me.refetch()} />
      </main>
    )
  }
  if (!me.data) return <Waiting lines={1} className="w-40" />
  // Stays until the recovery codes are saved, even if the server needs no set-up any more.
  if (me.data.mustSetUpFactor && !isSettingUp) setSettingUp(true)
  if (isSettingUp) {
    return (
      <Suspense fallback={<Waiting lines={1} className="w-40" />}>
        <MustSetUp onDone={() => void me.refetch().then(() => setSettingUp(false))} />
      </Suspense>
    )
  }
  return (
    <MeContext value={me.data}>
      <a
        href="#page"
        className="absolute -top-10 left-2 z-50 rounded-md bg-accent px-3 py-1.5 text-on-accent focus:top-2"
      >
        Skip to content
      </a>
      <div className="flex h-dvh flex-col md:flex-row">
        <TopBar />
        <SideBar />
        <Find />
        <main
          id="page"
          tabIndex={-1}
          className="relative min-w-0 flex-1 overflow-y-auto outline-none"
        >
          <Suspense fallback={<Waiting className="max-w-xl p-8" lines={4} />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
    </MeContext>
  )
}

/** Shows a message instead of a page the role may not see. The server refuses its data anyway. */
export function Guarded({
  needs,
  children,
}: {
  readonly needs: readonly string[]
  readonly children: ReactNode
}) {
  const may = useMay()
  if (needs.length === 0 || needs.some(may)) return children
  return (
    <EmptyState
      icon={ShieldOff}
      title="You do not have access to this page"
      text="Ask an operator of your platform for access."
    />
  )
}
