import type { Page } from 'playwright-core'
import { settled, type World } from './world.ts'

const NAME = 'Kept while typed'

/** Somebody who never touches the mouse. */
class KeyboardUser {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  press = (key: string) => this.page.keyboard.press(key)
  type = (text: string) => this.page.keyboard.type(text)

  /** Moves the focus to the control with this name, by Tab alone. */
  async tabTo(name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    for (let presses = 0; presses < 120; presses++) {
      await this.press(key)
      if (name.test(await this.page.evaluate<string>(FOCUSED_NAME))) return
    }
    throw new Error(`Tab does not reach ${String(name)}.`)
  }

  async fill(name: RegExp, text: string): Promise<void> {
    await this.tabTo(name)
    await this.press('ControlOrMeta+a')
    await this.type(text)
  }

  async enter(name: RegExp): Promise<void> {
    await this.tabTo(name)
    await this.press('Enter')
  }

  /** Until the server has what was typed. */
  async kept(): Promise<void> {
    await this.page.getByRole('status').filter({ hasText: 'Kept.' }).waitFor()
  }
}

const FOCUSED_NAME = `(() => {
  const at = document.activeElement
  return (at?.getAttribute('aria-label') || at?.labels?.[0]?.textContent || at?.textContent || '').trim()
})()`

/**
 * Books a campaign by keyboard alone. Each step refuses what is wrong, and a reload, another tab and a
 * look at Creatives lose nothing. Returns the status of the
 * campaign.
 */
export async function bookByKeyboard(world: World): Promise<{ readonly status: string }> {
  const page = await world.open('adops', '/campaigns/new')
  const person = new KeyboardUser(page)
  await person.tabTo(/^Advertiser$/)
  await person.press('Enter')
  await person.type('Northwind')
  await page.getByRole('option', { name: /^Auralis/ }).waitFor({ state: 'detached' })
  await page.getByRole('option', { name: /^Northwind/ }).waitFor()
  await person.press('ArrowDown')
  await person.press('Enter')
  await page.getByRole('option').first().waitFor({ state: 'detached' })
  await person.enter(/^Next/)
  await page.getByText('Give the campaign a name.').waitFor()

  await person.tabTo(/^Name/, 'Shift+Tab')
  await person.type(NAME)
  await person.tabTo(/^Traffic/)
  await person.press('ArrowDown')
  await person.press('ArrowDown')
  await person.kept()
  await page.reload()
  await page.getByLabel('Name', { exact: true }).waitFor()
  await person.enter(/^Next/)

  await person.fill(/^Maximum bid/, '0.5x')
  await person.enter(/^Next/)
  await page.getByText('“0.5x” is no amount.').waitFor()
  await person.tabTo(/^Maximum bid/, 'Shift+Tab')
  await person.press('ControlOrMeta+a')
  await person.type('0.5')
  await person.enter(/^Next/)
  await person.enter(/^Next/)
  await visitCreatives(person)
  await chooseAndBook(person)
  const status = await page.getByText('Active', { exact: true }).first().textContent()
  await page.close()
  return { status: status ?? '' }
}

/** Leaves in the middle, and continues in another tab. */
async function visitCreatives(person: KeyboardUser): Promise<void> {
  const { page } = person
  await page.getByRole('heading', { name: 'Which creatives should run?' }).waitFor()
  await person.kept()
  await page.getByRole('navigation').first().getByRole('link', { name: 'Creatives' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Creatives' }).waitFor()
  await page.getByRole('link', { name: 'Campaigns' }).first().press('Enter')
  await page.getByRole('link', { name: /^New campaign/ }).press('Enter')
  const row = page.getByRole('listitem').filter({ hasText: NAME })
  await row.getByRole('button', { name: 'Continue' }).press('Enter')
  await page.getByRole('heading', { name: 'Which creatives should run?' }).waitFor()
}

async function chooseAndBook(person: KeyboardUser): Promise<void> {
  const { page } = person
  await person.tabTo(/^Northwind: Dry feet/)
  await person.press('Space')
  await person.enter(/^Next/)
  await page.getByRole('heading', { name: 'Where should the ads run?' }).waitFor()
  await person.tabTo(/^Product page, right rail/)
  await person.press('Space')
  await page.getByText('asks at least 0.90 EUR per 1,000 impressions').waitFor()
  await person.enter(/^Next/)
  await page.getByRole('heading', { name: 'Where should the ads run?' }).waitFor()
  await person.enter(/^Bid €0\.90$/)
  await page.getByText(/1 of 1 fit/).waitFor()
  await settled(page)
  await person.enter(/^Next/)
  await page.getByText('Nothing keeps this campaign from running.').waitFor()
  await person.enter(/^Create and start/)
  await page.getByRole('heading', { level: 1, name: NAME }).waitFor()
}
