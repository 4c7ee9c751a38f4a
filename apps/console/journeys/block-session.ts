import { userIdOf } from './facts.ts'
import { lookAt, PHONE_IN_THE_DARK, type World } from './world.ts'

/**
 * A lost device: its session is blocked from the page of its user. Returns the decision as that page
 * lists it, and by how many pixels the table of sessions is wider than its place.
 */
export async function blockOnPhone(world: World) {
  const page = await world.open('trust', `/trust/${await userIdOf(world.address, 'advertiser')}`)
  await lookAt(page, PHONE_IN_THE_DARK)
  const sessions = page.getByRole('table', { name: 'Device sessions' })
  await sessions.getByRole('button', { name: 'Block' }).first().click()
  await page.getByLabel('Reason').selectOption({ label: 'A lost device' })
  await page.getByRole('button', { name: 'Block session' }).click()

  const decided = page
    .getByRole('region', { name: 'Decisions' })
    .getByRole('listitem')
    .filter({ hasText: 'A session was blocked' })
  await decided.getByText('A lost device').waitFor()
  const decision = await decided.textContent()
  const overhang = await page.evaluate(
    `(({ scrollWidth, parentElement }) => Math.max(0, scrollWidth - parentElement.clientWidth))(document.querySelector('table[aria-label="Device sessions"]'))`,
  )
  await page.close()
  return { decision, overhang }
}
