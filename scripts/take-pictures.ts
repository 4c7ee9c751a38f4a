import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bookAndSee } from '../apps/console/journeys/booking.ts'
import { keepLooks } from '../apps/console/journeys/looks.ts'
import { startWorld } from '../apps/console/journeys/world.ts'
import { startEmbedded } from '../apps/server/src/platform/database/embedded.ts'

/**
 * `node scripts/take-pictures.ts`: walks the newcomer's way through a fresh demo, and writes the
 * pictures of the guides and the looks that the tests compare with. Look at them before you commit.
 */
const IMAGES = path.join(import.meta.dirname, '../docs/guides/images')

const folder = await mkdtemp(path.join(tmpdir(), 'placard-pictures-'))
const postgres = await startEmbedded({ folder, progress: () => {} })
const world = await startWorld(postgres.url)
try {
  await mkdir(IMAGES, { recursive: true })
  await keepLooks(world)
  const { steps } = await bookAndSee(world, async (page, name) => {
    await page.screenshot({ path: path.join(IMAGES, `${name}.png`), animations: 'disabled' })
  })
  console.log(`The pictures are in ${IMAGES}; the way took ${steps} steps.`)
} finally {
  await world.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
