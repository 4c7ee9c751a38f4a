import path from 'node:path'
import type { Page } from 'playwright-core'
import { type Person, settled, type World } from './world.ts'

interface GuidePicture {
  readonly name: string
  readonly person: Person
  readonly path: string
  /** Links to follow from there, in this order. */
  readonly follow?: readonly (string | RegExp)[]
}

/** Pictures of the guides beside those of the first booking. */
const GUIDE_PICTURES: readonly GuidePicture[] = [
  { name: 'campaigns', person: 'advertiser', path: '/campaigns' },
  { name: 'creatives', person: 'advertiser', path: '/creatives' },
  {
    name: 'banner-schedule',
    person: 'advertiser',
    path: '/creatives?search=northwind',
    follow: [/Boots for real winters/, 'Schedule'],
  },
  { name: 'budgets', person: 'advertiser', path: '/budgets' },
  { name: 'reports', person: 'advertiser', path: '/reports?by=day&also=campaign' },
  { name: 'placements', person: 'publisher', path: '/placements' },
  { name: 'placement', person: 'publisher', path: '/placements', follow: [/Category page/] },
  {
    name: 'site',
    person: 'publisher',
    path: '/placements?part=sites',
    follow: [/shop\.meridian\.example/],
  },
  { name: 'approvals', person: 'publisher', path: '/approvals' },
  { name: 'trust', person: 'trust', path: '/trust' },
  { name: 'trust-person', person: 'trust', path: '/trust', follow: [/Arjun Rao/] },
  { name: 'trust-people', person: 'trust', path: '/trust?tab=people' },
  { name: 'operations', person: 'operator', path: '/operations' },
  { name: 'operations-queues', person: 'operator', path: '/operations?tab=queues' },
  { name: 'operations-switches', person: 'operator', path: '/operations?tab=switches' },
  { name: 'operations-nodes', person: 'operator', path: '/operations?tab=nodes' },
]

/** Small enough to load with the text. */
export const SIZE = { width: 1_100, height: 680 }

export async function takeGuidePictures(world: World, folder: string): Promise<void> {
  for (const picture of GUIDE_PICTURES) {
    const page = await world.open(picture.person, picture.path, { width: SIZE.width })
    await page.setViewportSize(SIZE)
    await goTo(page, picture)
    await page.screenshot({
      path: path.join(folder, `${picture.name}.png`),
      animations: 'disabled',
    })
    await page.close()
  }
}

async function goTo(page: Page, { follow = [] }: GuidePicture): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  for (const name of follow) {
    await page.getByRole('link', { name }).or(page.getByRole('tab', { name })).first().click()
    await settled(page)
  }
  await settled(page)
  await page.waitForLoadState('networkidle')
}
