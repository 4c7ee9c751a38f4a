import type { World } from './world.ts'

/** Goes to a page without a connection, and gets the connection back. Waits until the page is there. */
export async function loseConnection(world: World): Promise<void> {
  const page = await world.open('adops', '/campaigns')
  await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Reports' }).click()
  await page.getByText('This page is not loaded yet').waitFor()

  await page.context().setOffline(false)

  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
  await page.close()
}
