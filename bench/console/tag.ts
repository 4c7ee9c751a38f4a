import type { Page } from 'playwright-core'
import type { World } from '../../apps/console/journeys/world.ts'
import { median, rounded } from '../scratch.ts'

const LOADS = 5
const WATCHED_MS = 2_000
const SAMPLE_MICROS = 200

/** How long the tag uses the page's main thread until its ads are shown, on the shop's first page. */
export async function measureTag(world: World) {
  const page = await world.open(undefined, '/demo')
  const spent: number[] = []
  for (let load = 0; load < LOADS; load++) spent.push(await mainThreadMs(page))
  await page.context().close()
  return { tagMainThreadMs: rounded(median(spent)) }
}

interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly url: string }
    readonly children?: readonly number[]
  }[]
  readonly samples?: readonly number[]
  readonly timeDeltas?: readonly number[]
}

/** By sampling: everything that a function of the tag calls, including the browser's own work. */
async function mainThreadMs(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Profiler.enable')
  await devtools.send('Profiler.setSamplingInterval', { interval: SAMPLE_MICROS })
  await devtools.send('Profiler.start')
  await page.reload()
  await page.locator('[data-placard-state=filled]').first().waitFor({ state: 'attached' })
  await page.waitForTimeout(WATCHED_MS)
  const { profile } = await devtools.send('Profiler.stop')
  await devtools.detach()
  return microsBelowTag(profile) / 1_000
}

function microsBelowTag({ nodes, samples = [], timeDeltas = [] }: Profile): number {
  const below = new Set<number>()
  // Parents come before their children.
  for (const { id, callFrame, children = [] } of nodes) {
    if (callFrame.url.endsWith('/tag.js')) below.add(id)
    if (below.has(id)) for (const child of children) below.add(child)
  }
  return samples.reduce((sum, id, place) => sum + (below.has(id) ? (timeDeltas[place] ?? 0) : 0), 0)
}
