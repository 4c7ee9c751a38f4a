import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

const PAUSE_MS = 250

interface SearchBoxProps {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
}

/** Searches when typing pauses. The key "/" focuses it from anywhere on the page. */
export function SearchBox({ label, value, onValue }: SearchBoxProps) {
  const [typed, setTyped] = useState(value)
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => onValue(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, value, onValue])
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.target !== document.body) return
      event.preventDefault()
      box.current?.focus()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return (
    <label className="relative w-full sm:w-64">
      <span className="sr-only">{label}</span>
      <Search
        className="absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-ink-faint"
        aria-hidden
      />
      <input
        ref={box}
        type="search"
        value={typed}
        placeholder={label}
        onChange={({ target }) => setTyped(target.value)}
        className="h-8 w-full rounded-md border border-line-strong bg-surface pr-2.5 pl-8 shadow-card placeholder:text-ink-faint focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-accent"
      />
    </label>
  )
}
