import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bookAndSee } from '../apps/console/journeys/booking.ts'
import { takeEveryPage } from '../apps/console/journeys/every-page.ts'
import { SIZE, takeGuidePictures } from '../apps/console/journeys/guide-pictures.ts'
import { keepLooks } from '../apps/console/journeys/looks.ts'
import { startWorld, type World } from '../apps/console/journeys/world.ts'
import { startEmbedded } from '../apps/server/src/platform/database/embedded.ts'

/**
 * `node scripts/take-pictures.ts`: walks through a fresh demo and writes the pictures for the guides and
 * for the visual tests. Look at them before you commit.
 * `node scripts/take-pictures.ts <folder> light`: every page, wide and narrow, light or dark.
 */
const IMAGES = path.join(import.meta.dirname, '../docs/guides/images')
const [, , target, theme = 'light'] = process.argv

const folder = await mkdtemp(path.join(tmpdir(), 'placard-pictures-'))
const postgres = await startEmbedded({ folder, progress: () => {} })
const world = await startWorld(postgres.url)
try {
  await mkdir(target ?? IMAGES, { recursive: true })
  if (target)
    await takeEveryPage(world, { folder: target, theme: theme === 'dark' ? 'dark' : 'light' })
  else await takeForGuides(world)
  console.log(`The pictures are in ${target ?? IMAGES}.`)
} finally {
  await world.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

async function takeForGuides(world: World): Promise<void> {
  await keepLooks(world)
  await takeGuidePictures(world, IMAGES)
  const { steps } = await bookAndSee(world, async (page, name) => {
    await page.setViewportSize(SIZE)
    await page.screenshot({ path: path.join(IMAGES, `${name}.png`), animations: 'disabled' })
  })
  console.log(`The newcomer's journey took ${steps} steps.`)
}
