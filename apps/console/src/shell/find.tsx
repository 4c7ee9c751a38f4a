import { Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { IconButton } from '../ui/button.tsx'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

const OPEN = 'placard:find'

/** Opens the search for anything, wherever it is mounted. */
const openFind = () => dispatchEvent(new Event(OPEN))

/** The search for anything. Ctrl-K, or ⌘K, opens it from every page. */
export function Find() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen((before) => !before)
    }
    const open = () => setOpen(true)
    addEventListener('keydown', listen)
    addEventListener(OPEN, open)
    return () => {
      removeEventListener('keydown', listen)
      removeEventListener(OPEN, open)
    }
  }, [])
  if (!isOpen) return null
  return (
    <Suspense>
      <Palette onClose={() => setOpen(false)} />
    </Suspense>
  )
}

export const FindBox = () => (
  <button
    type="button"
    onClick={openFind}
    className="mx-2 flex h-8 shrink-0 items-center gap-2.5 rounded-md border border-line-strong bg-surface px-2 text-ink-faint shadow-card hover:bg-hover"
  >
    <Search className="size-4" aria-hidden />
    Find anything
    <kbd className="ml-auto font-sans text-xs">Ctrl K</kbd>
  </button>
)

export const FindButton = () => (
  <IconButton label="Find anything" icon={Search} onClick={openFind} />
)
