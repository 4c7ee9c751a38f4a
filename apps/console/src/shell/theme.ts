import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark' | 'system'

const KEPT_AS = 'placard.theme'
const dark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()
let chosen = (localStorage.getItem(KEPT_AS) ?? 'system') as Theme

const shownTheme = (): 'light' | 'dark' =>
  chosen === 'system' ? (dark.matches ? 'dark' : 'light') : chosen

function show(): void {
  document.documentElement.dataset['theme'] = shownTheme()
  for (const listener of listeners) listener()
}

dark.addEventListener('change', show)
show()

export function chooseTheme(theme: Theme): void {
  chosen = theme
  localStorage.setItem(KEPT_AS, theme)
  show()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The chosen theme, and the one on screen. */
export function useTheme() {
  const shown = useSyncExternalStore(subscribe, shownTheme)
  const theme = useSyncExternalStore(subscribe, () => chosen)
  return { theme, shown }
}
