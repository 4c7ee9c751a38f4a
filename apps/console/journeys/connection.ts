import type { World } from './world.ts'

/** Goes to a page without a connection, and gets the connection back. Returns the heading of what came. */
export async function loseConnection(world: World): Promise<string | null> {
  const page = await world.open('adops', '/campaigns')
  await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Reports' }).click()
  await page.getByText('This page is not loaded yet').waitFor()

  await page.context().setOffline(false)

  await page.getByText('This page is not loaded yet').waitFor({ state: 'detached' })
  const heading = await page.getByRole('heading', { level: 1 }).textContent()
  await page.close()
  return heading
}
