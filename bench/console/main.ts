import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { addCampaigns, squeezedBytes } from '../../apps/console/journeys/facts.ts'
import { settled, startWorld, type World } from '../../apps/console/journeys/world.ts'
import { median, onScratchDatabase, rounded, tell } from '../scratch.ts'
import { measureScrolling } from './scrolling.ts'
import { measureTag } from './tag.ts'
import { measureViewer } from './viewer.ts'

const LOADS = 7
const ROWS = 10_000

/** `npm run bench -- console`: what the console and the tag cost those who look, and the server. */
const figures = await onScratchDatabase(async ({ url, folder }) => {
  const pidFile = await readFile(path.join(folder, 'postgres/data/postmaster.pid'), 'utf8')
  const world = await startWorld(url)
  try {
    return await measure(world, Number(pidFile.split('\n')[0]))
  } finally {
    await world.stop()
  }
})
console.log(JSON.stringify(figures))

async function measure(world: World, databasePid: number) {
  const loading = await measureLoading(world)
  tell(JSON.stringify(loading))
  const tag = await measureTag(world)
  tell(JSON.stringify(tag))
  const viewer = await measureViewer({ world, databasePid })
  tell(JSON.stringify(viewer))
  tell(`Adding ${ROWS} campaigns`)
  await addCampaigns(world, ROWS)
  return { ...loading, ...tag, ...viewer, ...(await measureScrolling(world, ROWS)) }
}

/** Somebody who has never been here, on a server that has answered before. */
async function measureLoading(world: World) {
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

/** The page marks by itself when its navigation can be used; complete is now, at the latest. */
const LOADED = `({
  usable: performance.getEntriesByName('page-usable')[0].startTime,
  complete: performance.now(),
  scripts: performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js')),
})`
