import { vi } from 'vitest'
import type { World } from './world.ts'

/** Scrolls a list of a thousand campaigns to its end. Returns the most rows that were drawn at a time. */
export async function scrollToTheEnd(world: World): Promise<number> {
  const page = await world.open('advertiser2', '/campaigns?sort=name')
  await page.getByRole('link', { name: /Campaign 0001/ }).waitFor()
  const last = page.getByRole('link', { name: /Campaign 1000/ })
  let drawn = 0
  await page.mouse.move(700, 600)
  await vi.waitFor(
    async () => {
      await page.mouse.wheel(0, 6_000)
      drawn = Math.max(drawn, await page.getByRole('row').count())
      if ((await last.count()) !== 1) throw new Error('the last row is not drawn yet')
    },
    { timeout: 30_000 },
  )
  await page.close()
  return drawn
}
