import type { World } from '../../apps/console/journeys/world.ts'
import { rounded } from '../scratch.ts'

interface Scrolled {
  readonly longestFrameMs: number
  readonly longestTaskMs: number
  readonly frames: number
  readonly drawn: number
}

/** Scrolls through all rows as fast as a finger can, and times every frame. */
export async function measureScrolling(world: World, rows: number) {
  const page = await world.open('advertiser2', '/campaigns?sort=name')
  await page.getByRole('link', { name: /Campaign 00001/ }).waitFor()
  const last = `Campaign ${String(rows).padStart(5, '0')}`
  const scrolled = await page.evaluate<Scrolled>(scrollUntil(last))
  await page.close()
  return {
    rows10000JankMs: rounded(Math.max(scrolled.longestFrameMs, scrolled.longestTaskMs)),
    rows10000Frames: scrolled.frames,
    rowsDrawnMax: scrolled.drawn,
  }
}

const STEP_PX = 900
const FRAMES_MAX = 12_000

const scrollUntil = (last: string) => `new Promise((resolve) => {
  const page = document.getElementById('page')
  const table = document.querySelector('tbody')
  let longestTaskMs = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration)
  }).observe({ type: 'longtask' })
  let longestFrameMs = 0, frames = 0, drawn = 0, before = performance.now()
  const step = (now) => {
    longestFrameMs = Math.max(longestFrameMs, now - before)
    before = now
    frames++
    drawn = Math.max(drawn, table.children.length)
    if (table.textContent.includes(${JSON.stringify(last)}) || frames > ${FRAMES_MAX}) {
      resolve({ longestFrameMs, longestTaskMs, frames, drawn })
      return
    }
    page.scrollBy({ top: ${STEP_PX}, behavior: 'instant' })
    requestAnimationFrame(step)
  }
  requestAnimationFrame((now) => { before = now; requestAnimationFrame(step) })
})`
