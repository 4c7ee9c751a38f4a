import { squeezedBytes } from '../../apps/console/journeys/facts.ts'
import { settled, type World } from '../../apps/console/journeys/world.ts'
import { median, rounded } from '../scratch.ts'

const LOADS = 7

/** A first visit to a server that is warm. */
export async function measureLoading(world: World) {
  const usableMs: number[] = []
  const completeMs: number[] = []
  let firstLoadBytes = 0
  for (let load = 0; load <= LOADS; load++) {
    const page = await world.open('adops', '/', { isFresh: true })
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
    await settled(page)
    const { usable, complete, scripts } = await page.evaluate<Loaded>(LOADED)
    await page.context().close()
    firstLoadBytes = await squeezedBytes(scripts)
    // The first load warms the server.
    if (load === 0) continue
    usableMs.push(usable)
    completeMs.push(complete)
  }
  return {
    firstLoadBytes,
    interactiveMs: rounded(median(usableMs)),
    completeMs: rounded(median(completeMs)),
  }
}

interface Loaded {
  readonly usable: number
  readonly complete: number
  readonly scripts: string[]
}

/** The page sets a mark when its navigation can be used. It is complete now at the latest. */
const LOADED = `({
  usable: performance.getEntriesByName('page-usable')[0].startTime,
  complete: performance.now(),
  scripts: performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js')),
})`
