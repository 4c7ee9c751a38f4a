import type { Page } from 'playwright-core'
import { settled, type World } from './world.ts'

const NAME = 'Booked alone'
const WISH = 'The top of the home page, in May'
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="250"><rect width="300" height="250" fill="#0f3d3e"/></svg>'

/**
 * An advertiser protects itself by a daily limit, makes a creative on the way, books a placement that is
 * offered to everybody, and asks for others, which ad operations find among the proposals.
 */
export async function bookAlone(
  world: World,
): Promise<{ readonly limit: string; readonly waits: string }> {
  const page = await world.open('advertiser', '/advertisers')
  const limit = await limitDay(page)
  await page.getByRole('link', { name: 'Campaigns' }).first().click()
  await page.getByRole('link', { name: /^New campaign/ }).click()
  await page.getByLabel('Name', { exact: true }).fill(NAME)
  await page.getByRole('radio', { name: /^Awareness/ }).click()
  await next(page, 'How much, and how fast?')
  await page.getByText(`spend at most ${limit} a day`).waitFor()
  await next(page, 'Who should see the ads?')
  await next(page, 'Which creatives should run?')
  await makeCreative(page)
  await next(page, 'Where should the ads run?')
  await page.getByLabel(/^Category page/).click()
  await page.getByLabel(/^Other placements/).fill(WISH)
  const waits = page.getByText(/approves each creative first/).first()
  await waits.waitFor()
  await next(page, 'Check everything before you start')
  await page.getByText(WISH).waitFor()
  await settled(page)
  await page.getByRole('button', { name: 'Create and start' }).click()
  await page.getByRole('heading', { level: 1, name: NAME }).waitFor()
  await page.close()
  await findWish(world)
  return { limit, waits: 'approval' }
}

async function limitDay(page: Page): Promise<string> {
  await page
    .getByRole('button', { name: /^Manage Northwind/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByLabel(/^Daily limit/).fill('75')
  await page.getByRole('button', { name: 'Save' }).click()
  const limit = page.getByText('€75.00').first()
  await limit.waitFor()
  return (await limit.textContent()) ?? ''
}

async function next(page: Page, heading: string): Promise<void> {
  await page.getByRole('button', { name: /^Next/ }).click()
  await page.getByRole('heading', { name: heading }).waitFor()
}

/** Leaves the booking for a new creative, and is back with it chosen. */
async function makeCreative(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'New creative' }).click()
  await page.getByLabel('Title', { exact: true }).fill('Made on the way')
  await page.getByLabel('Image from this device').setInputFiles({
    name: 'way.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(PICTURE),
  })
  await page.getByLabel(/^Landing page URL/).fill('https://northwind.example/way')
  await page.getByLabel('Image URL').and(page.locator('[value^="/api/"]')).waitFor()
  await page.getByRole('button', { name: 'Create banner' }).click()
  await page.getByRole('checkbox', { name: 'Made on the way', checked: true }).waitFor()
}

async function findWish(world: World): Promise<void> {
  const page = await world.open('adops', '/proposals')
  const ticket = page.getByRole('listitem').filter({ hasText: NAME })
  await ticket.getByText(WISH).waitFor()
  await ticket.getByRole('link', { name: 'Book placements' }).click()
  await page.getByRole('heading', { level: 1, name: NAME }).waitFor()
  await page.getByText('Category page, four in a grid').waitFor()
  await page.close()
}
