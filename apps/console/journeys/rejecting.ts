import type { World } from './world.ts'

/** Rejects a banner with a reason, and takes the decision back. Returns how many can still be taken back. */
export async function rejectAndRevoke(world: World): Promise<number> {
  const page = await world.open('publisher', '/approvals')
  const ticket = page.getByRole('listitem').filter({ hasText: 'Verde: Grow something' })
  await ticket.getByRole('button', { name: 'Reject' }).click()
  await page.getByLabel('Reason').fill('The picture is too loud')
  await page.getByRole('button', { name: 'Reject banner' }).click()
  await page.getByText(/“Verde: Grow something” is rejected/).waitFor()

  await page.getByRole('tab', { name: 'Rejected' }).click()
  await page.getByText('The picture is too loud').waitFor()
  await page.getByRole('button', { name: 'Undo decision' }).click()
  await page.getByText('No rejected banners').waitFor()
  const left = await page.getByRole('button', { name: 'Undo decision' }).count()
  await page.close()
  return left
}
