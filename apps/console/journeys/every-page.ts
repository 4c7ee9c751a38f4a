import path from 'node:path'
import type { Page } from 'playwright-core'
import { PAGES_TO_SEE, THINGS_TO_SEE } from './pages.ts'
import { type Look, settled, type World } from './world.ts'

const LOOKS: readonly Required<Pick<Look, 'width' | 'theme'>>[] = [
  { width: 1_440, theme: 'light' },
  { width: 1_440, theme: 'dark' },
  { width: 390, theme: 'light' },
  { width: 390, theme: 'dark' },
]
const HEIGHT_MAX = 3_000

/** Every page from top to bottom, wide and narrow, light and dark: for somebody to look at. */
export async function takeEveryPage(world: World, folder: string): Promise<void> {
  for (const look of LOOKS) {
    const keep = (page: Page, name: string) =>
      keepWhole(page, path.join(folder, `${name}-${look.width}-${look.theme}.png`))
    for (const { path: to, heading, people } of PAGES_TO_SEE) {
      const page = await world.open(people[0], to, look)
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await keep(page, nameOf(to))
      await page.close()
    }
    for (const { list, link, tabs, person } of THINGS_TO_SEE) {
      const page = await world.open(person, list, look)
      await page.getByRole('link', { name: link }).first().click()
      await page.getByRole('navigation', { name: 'Breadcrumb' }).waitFor()
      for (const tab of tabs.length > 0 ? tabs : ['']) {
        if (tab) await page.getByRole('tab', { name: tab }).click()
        await keep(page, nameOf(`${list} thing ${tab}`))
      }
      await page.close()
    }
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
