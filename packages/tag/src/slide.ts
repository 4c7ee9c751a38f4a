import type { Banner } from './calls.ts'
import { make } from './make.ts'
import type { Room } from './room.ts'
import { safely } from './safely.ts'

const PAUSE_MS = 5_000

/** Turns a row of banners into a slider, moved by time, by finger or by its dots. */
export function slide({ box, track }: Room, banners: readonly Banner[]): void {
  const count = track.children.length
  const at = () => Math.round(track.scrollLeft / (track.clientWidth || 1))
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const go = (to: number) =>
    track.scrollTo({ left: to * track.clientWidth, behavior: isCalm ? 'auto' : 'smooth' })

  const nav = make('nav')
  const points = banners.map((_banner, to) => {
    const point = make('button')
    point.ariaLabel = `${to + 1} / ${count}`
    point.addEventListener(
      'click',
      safely(() => go(to)),
    )
    return point
  })
  const mark = safely(() => {
    for (const [index, point] of points.entries()) {
      if (index === at()) point.setAttribute('aria-current', 'true')
      else point.removeAttribute('aria-current')
    }
  })
  nav.append(...points)
  box.append(nav)
  track.addEventListener('scroll', mark, { passive: true })
  mark()
  if (isCalm) return

  const next = safely(() => {
    if (!box.isConnected) return
    const isHeld = box.matches(':hover,:focus-within') || document.hidden
    if (!isHeld) go((at() + 1) % count)
    later()
  })
  const later = () => setTimeout(next, banners[at()]?.transitionDurationMs || PAUSE_MS)
  later()
}
