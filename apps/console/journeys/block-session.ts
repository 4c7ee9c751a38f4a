import { expect } from 'vitest'
import { userIdOf } from './facts.ts'
import { lookAt, PHONE_IN_THE_DARK, type World } from './world.ts'

/** A lost device: the session is blocked from the page of its user, and the decision stays there. */
export async function blockOnPhone(world: World): Promise<void> {
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
  expect(await decided.textContent()).toContain('Thea Lindqvist')
  const overhang = await page.evaluate(
    `(({ scrollWidth, parentElement }) => scrollWidth - parentElement.clientWidth)(document.querySelector('table[aria-label="Device sessions"]'))`,
  )
  expect(overhang).toBeLessThanOrEqual(0)
  await page.close()
}
