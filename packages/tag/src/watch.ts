import { safely } from './safely.ts'

/** Something on the page that may be seen. */
export interface Watched {
  readonly element: Element
  /** How long half of it must be in view without a break. */
  readonly holdMs: number
  /** A paused video is not being watched. */
  isRunning(): boolean
  /** Its first pixel is in view. */
  onShown(): void
  /** Half of it was in view for long enough. */
  onSeen(): void
}

export interface Watcher {
  watch(watched: Watched): void
  /** True if half of it is in view, in a visible tab. */
  isInView(element: Element): boolean
}

interface Attention extends Watched {
  /** Share of it in view. */
  ratio: number
  isShown: boolean
  timer: ReturnType<typeof setTimeout> | undefined
}

const HALF = 0.5

/** Half of the pixels for one second, video two: the standard of the Media Rating Council. */
export function createWatcher(): Watcher {
  const all = new Map<Element, Attention>()
  const observer = new IntersectionObserver(
    safely((entries: IntersectionObserverEntry[]) => {
      for (const { target, intersectionRatio } of entries) {
        const attention = all.get(target)
        if (!attention) continue
        attention.ratio = intersectionRatio
        judge(attention)
      }
    }),
    // The first pixel, and half of them or slightly more where sizes are fractional.
    { threshold: [0, 0.01, HALF, 0.51] },
  )
  const judge = (attention: Attention) => {
    const ratio = document.hidden ? 0 : attention.ratio
    if (ratio > 0 && !attention.isShown) {
      attention.isShown = true
      attention.onShown()
    }
    if (ratio >= HALF)
      attention.timer ??= setTimeout(
        safely(() => finish(attention)),
        attention.holdMs,
      )
    else {
      clearTimeout(attention.timer)
      attention.timer = undefined
    }
  }
  const finish = (attention: Attention) => {
    attention.timer = undefined
    if (!attention.isRunning()) return judge(attention)
    observer.unobserve(attention.element)
    all.delete(attention.element)
    attention.onSeen()
  }
  document.addEventListener(
    'visibilitychange',
    safely(() => all.forEach(judge)),
  )
  return {
    watch(watched) {
      all.set(watched.element, { ...watched, ratio: 0, isShown: false, timer: undefined })
      observer.observe(watched.element)
    },
    isInView(element) {
      const { top, bottom, height } = element.getBoundingClientRect()
      const seen = Math.min(bottom, innerHeight) - Math.max(top, 0)
      return !document.hidden && height > 0 && seen >= height * HALF
    },
  }
}
