import type { Page } from 'playwright-core'
import type { World } from '../../apps/console/journeys/world.ts'
import { median, rounded } from '../scratch.ts'

const LOADS = 5
const WATCHED_MS = 2_000
/** A phone of the cheaper kind. */
const SLOWDOWN = 4

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly ts: number
  readonly dur?: number
  readonly args?: { readonly data?: { readonly url?: string } }
}

/** How long the tag holds the page's main thread until its ads stand, on the shop's first page. */
export async function measureTag(world: World) {
  return {
    tagMainThreadMs: await medianOf(world, 1),
    tagMainThreadSlowMs: await medianOf(world, SLOWDOWN),
  }
}

async function medianOf(world: World, slowdown: number): Promise<number> {
  const spent: number[] = []
  for (let load = 0; load < LOADS; load++) {
    const page = await world.open(undefined, '/sign-in')
    spent.push(mainThreadMs(await trace(page, { world, slowdown })))
    await page.context().close()
  }
  return rounded(median(spent))
}

async function trace(
  page: Page,
  { world, slowdown }: { world: World; slowdown: number },
): Promise<readonly TraceEvent[]> {
  const browser = page.context().browser()!
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await browser.startTracing(page, { categories: ['devtools.timeline', 'v8.execute'] })
  await page.goto(`${world.address}/demo`)
  await page.locator('[data-placard-state=filled]').first().waitFor()
  await page.waitForTimeout(WATCHED_MS)
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  return traceEvents
}

/** Answers are worked on in microtasks, which do not say whose they are: all count. */
const isTags = ({ name, args }: TraceEvent) =>
  name === 'RunMicrotasks' || args?.data?.url?.endsWith('/tag.js') === true

/** Events lie within each other: only the outermost count. */
function mainThreadMs(events: readonly TraceEvent[]): number {
  let end = 0
  let micros = 0
  const own = events.filter((event) => event.ph === 'X' && isTags(event))
  for (const { ts, dur = 0 } of own.toSorted((one, other) => one.ts - other.ts)) {
    const from = Math.max(ts, end)
    const to = ts + dur
    if (to > from) micros += to - from
    end = Math.max(end, to)
  }
  return micros / 1_000
}
