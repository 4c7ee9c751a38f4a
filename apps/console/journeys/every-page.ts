import path from 'node:path'
import type { Page } from 'playwright-core'
import { PAGES_TO_SEE, type ThingToSee, THINGS_TO_SEE } from './pages.ts'
import { settled, type World } from './world.ts'

const WIDTHS = [1_440, 390]
const HEIGHT_MAX = 3_000

interface Wanted {
  readonly folder: string
  readonly theme: 'light' | 'dark'
}

/** Takes a picture of every page in full height, wide and narrow. */
export async function takeEveryPage(world: World, { folder, theme }: Wanted): Promise<void> {
  for (const width of WIDTHS) {
    const look = { width, theme }
    const keep: Keep = (page, name) =>
      keepWhole(page, path.join(folder, `${nameOf(name)}-${width}-${theme}.png`))
    for (const { path: to, heading, people } of PAGES_TO_SEE) {
      const page = await world.open(people[0], to, look)
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await keep(page, to)
      await page.close()
    }
    for (const thing of THINGS_TO_SEE) {
      const page = await world.open(thing.person, thing.list, look)
      await takeThing(page, thing, keep)
      await page.close()
    }
  }
}

type Keep = (page: Page, name: string) => Promise<void>

async function takeThing(page: Page, { list, link, tabs }: ThingToSee, keep: Keep): Promise<void> {
  // Only visible rows are in the page.
  const size = page.viewportSize()!
  await page.setViewportSize({ ...size, height: HEIGHT_MAX })
  await page.getByRole('link', { name: link }).first().click()
  await page.setViewportSize(size)
  await page.getByRole('navigation', { name: 'Breadcrumb' }).waitFor()
  if (tabs.length === 0) await keep(page, `${list} thing`)
  for (const tab of tabs) {
    await page.getByRole('tab', { name: tab }).click()
    await keep(page, `${list} thing ${tab}`)
  }
}

const nameOf = (text: string) =>
  text.replaceAll(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'home'

async function keepWhole(page: Page, file: string): Promise<void> {
  await settled(page)
  await page.waitForLoadState('networkidle')
  const { width, height } = page.viewportSize()!
  const whole = await page.evaluate<number>(
    "innerHeight - document.getElementById('page').clientHeight + document.getElementById('page').scrollHeight",
  )
  await page.setViewportSize({ width, height: Math.min(Math.max(whole, height), HEIGHT_MAX) })
  await page.screenshot({ path: file, animations: 'disabled' })
  await page.setViewportSize({ width, height })
}
