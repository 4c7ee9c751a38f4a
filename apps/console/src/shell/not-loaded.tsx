import { WifiOff } from 'lucide-react'
import { useEffect } from 'react'
import { EmptyState, ProblemState } from '../ui/layout/states.tsx'

/** The program of a page did not arrive: there is no connection, or the server runs a newer version. */
class PageNotLoaded extends Error {}

/** Loads a page's program. The router would reload the window, and show the browser's own page without a connection. */
export async function loadPage<Page>(load: () => Promise<Page>): Promise<Page> {
  try {
    return await load()
  } catch (cause) {
    throw new PageNotLoaded('a page did not load', { cause })
  }
}

interface BrokenPageProps {
  readonly error: unknown
  readonly reset: () => void
}

/** Shown instead of a page that failed. */
export function BrokenPage({ error, reset }: BrokenPageProps) {
  return error instanceof PageNotLoaded ? (
    <NotLoaded />
  ) : (
    <ProblemState error={error} retry={reset} />
  )
}

const EVERY_MS = 2_000

function NotLoaded() {
  useEffect(() => {
    const timer = setInterval(() => void reloadWhenThere(), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <div role="alert">
      <EmptyState
        icon={WifiOff}
        title="This page is not loaded yet"
        text="Placard does not answer. The page opens by itself once the connection is back."
      />
    </div>
  )
}

async function reloadWhenThere(): Promise<void> {
  try {
    const { ok } = await fetch('/health/live', { cache: 'no-store' })
    if (ok) location.reload()
  } catch {
    // Still no connection.
  }
}
