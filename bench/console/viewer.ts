import type { Page } from 'playwright-core'
import { settled, type World } from '../../apps/console/journeys/world.ts'
import { median, rounded, tell } from '../scratch.ts'
import { cpuSecondsOfTree } from '../cpu.ts'

export interface Watched {
  readonly world: World
  readonly databasePid: number
}

const WINDOW_SECONDS = 15
const TURNS = 3
const VIEWERS = 8

/** What it costs that somebody looks at the live home: of one core, the database counted in; in turns with nobody. */
export async function measureViewer(watched: Watched) {
  const shares: number[] = []
  for (let turn = 0; turn <= TURNS; turn++) {
    const idle = await cpuShare(watched)
    const leave = await comeToLook(watched)
    const looked = await cpuShare(watched)
    await leave()
    tell(`Nobody looks: ${percent(idle)} % of a core; ${VIEWERS} look: ${percent(looked)} %`)
    // What a server does first has nothing to do with who looks.
    if (turn > 0) shares.push((looked - idle) / VIEWERS)
  }
  return { viewerCpuPercent: percent(median(shares)) }
}

const percent = (share: number) => rounded(share * 100, 2)

async function comeToLook({ world }: Watched): Promise<() => Promise<void>> {
  const pages: Page[] = []
  for (let viewer = 0; viewer < VIEWERS; viewer++) {
    const page = await world.open('adops', '/', { isFresh: true })
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
    await settled(page)
    pages.push(page)
  }
  return async () => {
    for (const page of pages) await page.context().close()
  }
}

async function cpuShare({ world, databasePid }: Watched): Promise<number> {
  const used = () => cpuSecondsOfTree(world.serverPid) + cpuSecondsOfTree(databasePid)
  const before = used()
  await new Promise((resolve) => setTimeout(resolve, WINDOW_SECONDS * 1_000))
  return (used() - before) / WINDOW_SECONDS
}
