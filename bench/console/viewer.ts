import type { Page } from 'playwright-core'
import { settled, type World } from '../../apps/console/journeys/world.ts'
import { median, rounded, say } from '../scratch.ts'
import { cpuSecondsOfTree } from '../cpu.ts'

export interface Watched {
  readonly world: World
  readonly databasePid: number
}

const WINDOW_SECONDS = 15
const ROUNDS = 3
const VIEWERS = 8

/** Cost of one viewer of the live home page, as a share of a core with the database, against no viewer in alternating windows. */
export async function measureViewer(watched: Watched) {
  const shares: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const idle = await cpuShare(watched)
    const leave = await comeToLook(watched)
    const looked = await cpuShare(watched)
    await leave()
    say(`Nobody looks: ${percent(idle)} % of a core; ${VIEWERS} look: ${percent(looked)} %`)
    // The work after a start is independent of viewers.
    if (round > 0) shares.push((looked - idle) / VIEWERS)
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
