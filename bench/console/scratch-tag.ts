import { startWorld } from '../../apps/console/journeys/world.ts'
import { onScratchDatabase } from '../scratch.ts'
import { measureTag } from './tag.ts'
await onScratchDatabase(async ({ url }) => {
  const world = await startWorld(url)
  try {
    const page = await world.open(undefined, '/demo')
    page.on('console', (m) => console.log('console', m.text()))
    page.on('requestfailed', (r) => console.log('failed', r.url(), r.failure()?.errorText))
    page.on('response', (r) => console.log(r.status(), r.url()))
    await page.reload()
    await page.waitForTimeout(6000)
    console.log(await page.evaluate(`[...document.querySelectorAll('[data-placard]')].map((e) => [e.dataset.placard, e.dataset.placardState, e.getBoundingClientRect().height])`))
    console.log(world.faults)
    console.log(await measureTag(world))
  } catch (e) { console.log(e) } finally { await world.stop() }
})
