import { expect } from 'vitest'
import { findBarriers, settled, type World } from './world.ts'

/** Finds a campaign that does not deliver, mends it where it says why, and asks why for a reader who fits. */
export async function mendCampaign(world: World): Promise<readonly string[]> {
  const page = await world.open('adops', '/campaigns?search=service&delivery=not-delivering')
  await page.getByText('Not delivering: approval').waitFor({ timeout: 50_000 })
  await page.getByRole('link', { name: /Service vouchers/ }).click()
  await page.getByText('Waits for approval on localhost').first().waitFor()
  await settled(page)
  const barriers = await findBarriers(page)

  const approve = page.getByRole('button', { name: 'Approve banner' }).first()
  await approve.click()
  await page
    .getByText(/ is approved on localhost/)
    .first()
    .waitFor()
  const waiting = page.getByText('Waits for approval on localhost')
  await expect
    .poll(
      async () => {
        // Another banner of the campaign may wait, too.
        if (await approve.isEnabled({ timeout: 100 }).catch(() => false)) await approve.click()
        return waiting.count()
      },
      { timeout: 40_000, interval: 2_000 },
    )
    .toBe(0)

  await page.getByRole('main').getByRole('link', { name: 'Why?' }).click()
  await page.getByRole('heading', { name: /“.+” (is shown|needs)/ }).waitFor()
  expect(await page.getByLabel('Placement', { exact: true }).inputValue()).toMatch(/./)
  const needs = page.getByRole('region', { name: /“.+” (is shown|needs)/ })
  expect(await needs.getByText('the site has not approved its banner').count()).toBe(0)
  await page.close()
  return barriers
}

/** An advertiser asks why its own ads are shown to a reader or not. */
export async function askOwnWhy(world: World): Promise<readonly string[]> {
  const page = await world.open('advertiser', '/campaigns?search=runners')
  await page.getByRole('link', { name: /Runners' week/ }).click()
  await page.getByRole('tab', { name: 'Why?' }).click()
  await page.getByRole('heading', { name: /“Runners, .+” (is shown|needs)/ }).waitFor()
  await settled(page)
  const barriers = await findBarriers(page)
  await page.close()
  return barriers
}
