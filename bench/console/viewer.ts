import { settled, type World } from '../../apps/console/journeys/world.ts'
import { rounded, tell } from '../scratch.ts'
import { cpuSecondsOfTree } from '../cpu.ts'

export interface Watched {
  readonly world: World
  readonly databasePid: number
}

const WINDOW_SECONDS = 30
const VIEWERS = 4

/** What it costs that somebody looks at the live home: of one core, the database counted in. */
export async function measureViewer(watched: Watched) {
  const { world } = watched
  const idle = await cpuShare(watched)
  tell(`Nobody looks: ${rounded(idle * 100, 2)} % of a core`)
  const pages = []
  for (let viewer = 0; viewer < VIEWERS; viewer++) {
    const page = await world.open('adops', '/', { isFresh: true })
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
    await settled(page)
    pages.push(page)
  }
  const looked = await cpuShare(watched)
  for (const page of pages) await page.context().close()
  return { viewerCpuPercent: rounded(((looked - idle) / VIEWERS) * 100, 2) }
}

async function cpuShare({ world, databasePid }: Watched): Promise<number> {
  const used = () => cpuSecondsOfTree(world.serverPid) + cpuSecondsOfTree(databasePid)
  const before = used()
  await new Promise((resolve) => setTimeout(resolve, WINDOW_SECONDS * 1_000))
  return (used() - before) / WINDOW_SECONDS
}
