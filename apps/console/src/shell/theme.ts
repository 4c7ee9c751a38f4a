import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark' | 'system'

const KEPT_AS = 'placard.theme'
const dark = matchMedia('(prefers-color-scheme: dark)')
const followers = new Set<() => void>()
let chosen = (localStorage.getItem(KEPT_AS) ?? 'system') as Theme

const shownTheme = (): 'light' | 'dark' =>
  chosen === 'system' ? (dark.matches ? 'dark' : 'light') : chosen

function show(): void {
  document.documentElement.dataset['theme'] = shownTheme()
  for (const tell of followers) tell()
}

dark.addEventListener('change', show)
show()

export function chooseTheme(theme: Theme): void {
  chosen = theme
  localStorage.setItem(KEPT_AS, theme)
  show()
}

const follow = (tell: () => void) => {
  followers.add(tell)
  return () => void followers.delete(tell)
}

/** The theme that was chosen, and the one that is shown. */
export function useTheme() {
  const shown = useSyncExternalStore(follow, shownTheme)
  const theme = useSyncExternalStore(follow, () => chosen)
  return { theme, shown }
}
