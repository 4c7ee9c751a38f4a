import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { addCampaigns } from '../../apps/console/journeys/facts.ts'
import { startWorld, type World } from '../../apps/console/journeys/world.ts'
import { onScratchDatabase, say } from '../scratch.ts'
import { measureLoading } from './loading.ts'
import { measureScrolling } from './scrolling.ts'
import { fillBusiness, measureSize } from './size.ts'
import { measureTag } from './tag.ts'
import { measureViewer } from './viewer.ts'

const ROWS = 10_000

/** `npm run bench -- console`: the cost of the console and the tag for browsers and the server. */
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
  say(JSON.stringify(loading))
  const viewer = await measureViewer({ world, databasePid })
  say(JSON.stringify(viewer))
  say(`Adding ${ROWS} campaigns`)
  await addCampaigns(world, ROWS)
  const scrolling = await measureScrolling(world, ROWS)
  say(JSON.stringify(scrolling))
  const tag = await measureTag(world)
  say('Adding 5,000 advertisers, 50,000 campaigns and 200 users')
  await fillBusiness(world)
  return { ...loading, ...viewer, ...scrolling, ...tag, ...(await measureSize(world)) }
}
