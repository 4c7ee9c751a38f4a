import type { Locator, Page } from 'playwright-core'
import { settled, type World } from './world.ts'

/** Called after each step to take a picture. Tests take none. */
export type Snap = (page: Page, name: string) => Promise<void>

const CAMPAIGN = 'My first campaign'
const BANNER = 'Northwind: Dry feet, long days'
const HEADLINE = 'Dry feet, long days'
const PLACEMENT = 'category-grid'

/** The steps of a first-time user, each click and key counted. */
class Newcomer {
  steps = 0
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async click(target: Locator): Promise<void> {
    this.steps++
    await target.click()
  }

  async type(label: string, text: string): Promise<void> {
    this.steps++
    await this.page.getByLabel(label, { exact: true }).fill(text)
  }

  async choose(label: string, option: string | { label: string }): Promise<void> {
    this.steps++
    await this.page.getByLabel(label, { exact: true }).selectOption(option)
  }

  button = (name: string | RegExp) => this.page.getByRole('button', { name })
  link = (name: string | RegExp) => this.page.getByRole('link', { name }).first()
}

/**
 * Books a campaign, sees it in the shop, asks why another was not shown, reads its spend, pauses
 * it, and sees it gone.
 */
export async function bookAndSee(world: World, snap: Snap): Promise<{ steps: number }> {
  const page = await world.open(undefined, '/')
  const person = new Newcomer(page)
  await snap(page, 'sign-in')
  await person.click(person.button(/^Ad ops/))
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await settled(page)
  await snap(page, 'home')
  await book(person, snap)
  await seeInShop(person, snap)
  await askWhy(person, snap)
  await readSpend(person, snap)
  await pause(person, snap)
  await page.close()
  return { steps: person.steps }
}

async function book(person: Newcomer, snap: Snap): Promise<void> {
  const { page } = person
  await person.click(person.link('Campaigns'))
  await person.click(person.link('New campaign'))
  await person.click(page.getByLabel('Advertiser', { exact: true }))
  await person.click(page.getByRole('option', { name: /^Northwind Outfitters/ }))
  await person.type('Name', CAMPAIGN)
  await person.click(page.getByRole('radio', { name: /^Awareness/ }))
  await snap(page, 'new-campaign-goal')
  await person.click(person.button(/^Next/))
  await person.type('Maximum bid per 1,000 impressions (CPM)', '9')
  await snap(page, 'new-campaign-budget')
  await person.click(person.button(/^Next/))
  await person.click(person.button(/^Next/))
  await person.click(page.getByRole('checkbox', { name: BANNER }))
  await snap(page, 'new-campaign-creative')
  await person.click(person.button(/^Next/))
  await person.click(page.getByRole('checkbox', { name: /^Category page/ }))
  await snap(page, 'new-campaign-where')
  await person.click(person.button(/^Next/))
  await snap(page, 'new-campaign-review')
  await person.click(person.button('Create and start'))
  await page.getByRole('heading', { level: 1, name: CAMPAIGN }).waitFor()
  await page.getByText('Active', { exact: true }).first().waitFor()
}

const campaignIn = (page: Page) => /campaigns\/([0-9a-f-]{36})/.exec(page.url())?.[1]

/** Opens the shop as a reader, and finds the ad among the products. */
async function seeInShop(person: Newcomer, snap: Snap): Promise<void> {
  const opened = person.page.waitForEvent('popup')
  await person.click(person.link(/^Demo shop/))
  const shop = await opened
  await person.click(shop.getByRole('link', { name: 'Outdoor' }))
  const ad = shop.locator(`[data-placard=${PLACEMENT}]`).getByRole('img', { name: HEADLINE })
  await reloadUntilSeen(shop, ad)
  await ad.scrollIntoViewIfNeeded()
  await shop.locator('#shown').filter({ hasText: /[1-9]/ }).waitFor()
  await snap(shop, 'shop')
  await shop.close()
}

/** A page requests ads once. A page opened before the server knew the campaign is opened again. */
async function reloadUntilSeen(shop: Page, ad: Locator): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const isSeen = await ad.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    )
    if (isSeen) return
    await shop.reload()
  }
  throw new Error('The shop does not show the ad of the new campaign.')
}

async function askWhy(person: Newcomer, snap: Snap): Promise<void> {
  const { page } = person
  await person.click(person.link('Why?'))
  await person.choose('Placement', PLACEMENT)
  await person.choose('Ad', { label: 'Hikers, box' })
  await person.click(person.button('Explain request'))
  await page.getByText(/“Hikers, box” (is shown|needs)/).waitFor()
  await page.getByText(CAMPAIGN).first().waitFor()
  await snap(page, 'why')
}

/** The campaign's spend today: above zero, and below its budget. */
async function readSpend(person: Newcomer, snap: Snap): Promise<void> {
  const { page } = person
  await person.click(person.link('Home'))
  const row = page.getByRole('listitem').filter({ hasText: CAMPAIGN })
  await row.getByText(/^€(?!0\.00$)0\.\d+$/).waitFor()
  await settled(page)
  await snap(page, 'home-after')
}

async function pause(person: Newcomer, snap: Snap): Promise<void> {
  const { page } = person
  await person.click(person.link(CAMPAIGN))
  await settled(page)
  await page.getByRole('definition').filter({ hasText: /^1$/ }).first().waitFor()
  await snap(page, 'campaign')
  await person.click(person.button('Pause'))
  await page.getByText('Paused', { exact: true }).first().waitFor()
  await waitUntilGone(page, campaignIn(page)!)
}

interface Served {
  readonly banners: readonly { readonly campaignPublicId: string | null }[]
}

/** Requests the placement like the shop's page, until the campaign is not in the answer. */
async function waitUntilGone(page: Page, id: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const served = await page.evaluate<Served>(
      `fetch('/api/v1/banners/serve/${PLACEMENT}').then((answer) => answer.json())`,
    )
    if (!served.banners.some(({ campaignPublicId }) => campaignPublicId === id)) return
    await page.waitForTimeout(100)
  }
  throw new Error('The campaign is still served.')
}
