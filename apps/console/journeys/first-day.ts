import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { onTestFinished, vi } from 'vitest'
import { codeOf } from '../../server/src/testing/factors.ts'
import { scratchFolder } from '../../server/src/testing/server.ts'
import { freshDatabase } from '../../server/src/testing/services/database.ts'
import { ENVIRONMENT } from '../../server/src/testing/services/environment.ts'
import { startMailServer } from '../../server/src/testing/services/mail-server.ts'
import type { Snap } from './booking.ts'
import {
  findBarriers,
  lookAt,
  PHONE_IN_THE_DARK,
  settled,
  startServer,
  type Visits,
} from './world.ts'

const EMAIL = 'ada@company.example'
const OPERATOR = path.join(import.meta.dirname, '../../../scripts/operator.ts')
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="250"><rect width="300" height="250" fill="#0f3d3e"/></svg>'

const secret = (letter: string) => `${letter}k3P9xV0mWq8S2n6uB1eT9yRk3oL7aHfD`

/** The accessibility faults on the way, and the steps in the order in which they were ticked. */
export interface FirstDay {
  readonly barriers: readonly string[]
  readonly ticked: readonly string[]
}

/**
 * The first operator of an empty platform in production goes through the first steps, from the console
 * alone, until an impression is counted on a page of another origin.
 */
export async function walkFirstDay({ visit }: Visits, snap: Snap): Promise<FirstDay> {
  const platform = await startPlatform()
  const blog = await startBlog()
  const page = await visit([platform.address], '/')
  const ada = new Ada(page, snap)
  await ada.signIn(platform.password)
  await ada.nameOrganisation()
  await ada.sendTestMail()
  await ada.putAside()
  await ada.makePublisher()
  await ada.makeSite()
  await ada.makePlacement()
  blog.tag = await ada.readTag()
  const reader = await visit([blog.address, platform.address], '/')
  await ada.home('Put the tag on a page')
  await ada.makeAdvertiser()
  await ada.manageSellpage()
  await ada.bookCampaign()
  await reloadUntil(reader, reader.locator('[data-placard] img').first())
  await ada.seeAllDone()
  await reader.context().close()
  await page.context().close()
  return ada
}

/** Placard in production on an empty database, with a mail server and one operator. */
async function startPlatform() {
  const mail = await startMailServer()
  const { url } = await freshDatabase()
  const home = await scratchFolder()
  const settings = {
    PLACARD_MODE: 'production',
    PLACARD_HOME: home,
    JWT_SECRET: secret('j'),
    USER_KEY_SECRET: secret('u'),
    ENCRYPTION_SECRET: secret('e'),
    TRACKING_KEYS: `1:${secret('t')}`,
    SMTP_URL: mail.url,
    MAIL_FROM: 'ads@company.example',
    PUBLIC_URL: 'http://127.0.0.1:8080',
  }
  const { stdout } = await promisify(execFile)(process.execPath, [OPERATOR, EMAIL], {
    env: { ...ENVIRONMENT, ...settings, DATABASE_URL: url },
  })
  const { server, address } = await startServer(url, home, settings)
  onTestFinished(async () => {
    server.kill('SIGTERM')
    await once(server, 'close')
  })
  return { address, password: /shown only this once: (\S+)/.exec(stdout)![1]! }
}

/** A page of somebody else's server, with the tag once it is there. */
async function startBlog() {
  const blog = { tag: '', address: '' }
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(
      `<!doctype html><html lang="en"><title>Blog</title><h1>Blog</h1>${blog.tag}</html>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return Object.assign(blog, { address: `http://localhost:${port}` })
}

/** A page asks for ads once. It is opened again until the server knows the campaign. */
async function reloadUntil(page: Page, ad: Locator): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const isSeen = await ad.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    )
    if (isSeen) return
    await page.reload()
  }
  throw new Error(`The page shows no ad: ${await page.content()}`)
}

class Ada implements FirstDay {
  readonly barriers: string[] = []
  readonly ticked: string[] = []
  private readonly page: Page
  private readonly snap: Snap

  constructor(page: Page, snap: Snap) {
    this.page = page
    this.snap = snap
  }

  async signIn(password: string): Promise<void> {
    const { page } = this
    await this.type('E-mail', EMAIL)
    await this.type('Password', password)
    await this.press('Sign in')
    await this.press('Set up an app')
    await this.press('Cannot scan? Show the key')
    const key = (await page.locator('p.font-mono').innerText()).replaceAll(' ', '')
    await this.type('Code that the app shows now', codeOf(key, new Date()))
    await this.press('Turn on')
    await this.press('I have saved them')
    await this.home('Protect your sign-in with a second step')
    await this.look('first-steps')
  }

  async nameOrganisation(): Promise<void> {
    await this.follow('Name it')
    await this.type('Name', 'Harbour Media')
    await this.press('Save')
    await this.page.getByText('Harbour Media is saved.').waitFor()
    await this.home('Name your organisation')
  }

  async sendTestMail(): Promise<void> {
    await this.press(`Send a test mail to ${EMAIL}`)
    await this.isTicked('Send a test mail')
  }

  /** Hides the list, and brings it back. */
  async putAside(): Promise<void> {
    const { page } = this
    await this.press('Put aside')
    await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' })
    await this.go('/operations')
    await this.press('Show first steps')
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
  }

  async makePublisher(): Promise<void> {
    await this.follow('New publisher')
    await this.type('Name', 'Harbour')
    const domain = this.page.getByLabel(/^Business domain/)
    await domain.fill('not a domain')
    await this.press('Create publisher')
    await this.page.getByRole('alert').waitFor()
    await this.page.locator('[aria-invalid=true]').waitFor()
    await this.look('new-publisher')
    await domain.fill('harbour.example')
    await this.press('Create publisher')
    await this.page.getByRole('cell', { name: /^Harbour/ }).waitFor()
    await this.home('Make a publisher')
  }

  async makeSite(): Promise<void> {
    await this.follow('New site')
    await this.page
      .getByLabel('Publisher', { exact: true })
      .filter({ hasText: 'Harbour' })
      .waitFor()
    await this.type('Name', 'Harbour News')
    await this.type('Domain', 'news.harbour.example')
    await this.press('Create site')
    await this.page.getByRole('heading', { level: 1, name: 'Harbour News' }).waitFor()
    await this.home('Add a site')
  }

  async makePlacement(): Promise<void> {
    const { page } = this
    await this.follow('New placement')
    await this.type('Name', 'News, top')
    await page.getByLabel(/^Width/).fill('300')
    await page.getByLabel(/^Height/).fill('250')
    await this.press('Create placement')
    await page.getByRole('heading', { level: 1, name: 'News, top' }).waitFor()
    await this.press('Add ad slot')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Site', { exact: true }).filter({ hasText: 'Harbour News' }).waitFor()
    await dialog.getByRole('button', { name: 'Add ad slot' }).click()
    await page.getByRole('link', { name: 'Harbour News' }).first().waitFor()
    await this.home('Make a placement')
  }

  async readTag(): Promise<string> {
    const tag = this.page.getByLabel('Tag code')
    await this.page.getByText('Include the site').waitFor()
    return tag.inputValue()
  }

  async makeAdvertiser(): Promise<void> {
    await this.follow('New advertiser')
    await this.type('Name', 'Northwind Ferries')
    await this.press('Create advertiser')
    await this.page.getByRole('link', { name: 'Northwind Ferries' }).waitFor()
    await this.home('Make an advertiser')
  }

  /** Makes one, changes it, archives it and brings it back, as with every list. */
  async manageSellpage(): Promise<void> {
    const { page } = this
    const manage = async (name: string, item: string) => {
      await this.press(`Manage ${name}`)
      await page.getByRole('menuitem', { name: item }).click()
    }
    const row = (name: string) => page.getByRole('cell', { name, exact: true })
    await this.go('/advertisers?part=sellpages')
    await this.press('New sellpage')
    await page.getByLabel('Advertiser', { exact: true }).filter({ hasText: 'Northwind' }).waitFor()
    await this.type('Name', 'Autumn')
    await this.type('Address', 'https://ferries.example/autumn')
    await this.press('Create sellpage')
    await row('Autumn').waitFor()
    await manage('Autumn', 'Edit')
    await this.type('Name', 'Winter')
    await this.press('Save')
    await row('Winter').waitFor()
    await manage('Winter', 'Archive')
    await this.press('Archive sellpage')
    await page.getByText('No sellpages yet').waitFor()
    await page.getByLabel('Show archived').click()
    await manage('Winter', 'Restore')
    await page.getByLabel('Show archived').click()
    await row('Winter').waitFor()
    this.ticked.push('a sellpage is back')
  }

  async bookCampaign(): Promise<void> {
    const { page } = this
    await this.home()
    await this.makeBanner()
    await this.home()
    await this.follow('New campaign')
    await this.type('Name', 'Summer timetable')
    await page.getByRole('radio', { name: /^Awareness/ }).click()
    await this.press(/^Next/)
    await this.type('Maximum bid per 1,000 impressions (CPM)', '9')
    await this.press(/^Next/)
    await this.press(/^Next/)
    await page.getByRole('checkbox', { name: 'Over the bay' }).click()
    await this.press(/^Next/)
    await page.getByRole('checkbox', { name: /^News, top/ }).click()
    await this.press(/^Next/)
    await this.press('Create and start')
    await page.getByRole('heading', { level: 1, name: 'Summer timetable' }).waitFor()
    await this.approve()
    await this.home('Book and start a campaign')
  }

  private async makeBanner(): Promise<void> {
    const { page } = this
    await this.follow('New banner')
    await this.type('Title', 'Over the bay')
    await page.getByLabel('Image from this device').setInputFiles({
      name: 'ferry.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(PICTURE),
    })
    await vi.waitUntil(
      async () => (await page.getByLabel('Image URL').inputValue()).startsWith('/api'),
      20_000,
    )
    await page.getByLabel(/^Landing page URL/).fill('https://ferries.example/')
    await this.press('Create banner')
    await page.getByRole('heading', { level: 1, name: 'Over the bay' }).waitFor()
  }

  private async approve(): Promise<void> {
    const { page } = this
    await this.go('/approvals')
    await page.getByRole('listitem').getByRole('button', { name: 'Approve' }).click()
    await page.getByText(/is approved/).waitFor()
  }

  /** Once everything is done, Home is as it always is. */
  async seeAllDone(): Promise<void> {
    const { page } = this
    await this.go('/')
    await page.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor()
    await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'To do' }).waitFor()
    this.ticked.push('all')
  }

  /** Opens Home, and sees that the step is ticked. */
  async home(step?: string): Promise<void> {
    await this.go('/')
    await this.page.getByRole('heading', { name: 'First steps' }).waitFor()
    if (step) await this.isTicked(step)
  }

  private async isTicked(step: string): Promise<void> {
    const line = this.page.getByRole('listitem').filter({ hasText: step })
    await line.getByRole('img', { name: 'Done' }).waitFor()
    this.ticked.push(step)
  }

  private go = (to: string) => this.page.goto(new URL(to, this.page.url()).href)

  private follow = (name: string) => this.page.getByRole('link', { name }).click()

  private press = (name: string | RegExp) =>
    this.page
      .getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
      .first()
      .click()

  private type = (label: string, text: string) =>
    this.page.getByLabel(label, { exact: true }).first().fill(text)

  private async look(name: string): Promise<void> {
    const { page } = this
    await settled(page)
    await this.snap(page, name)
    this.barriers.push(...(await findBarriers(page)))
    const light = { width: page.viewportSize()!.width, theme: 'light' } as const
    await lookAt(page, PHONE_IN_THE_DARK)
    await this.snap(page, `${name}-phone`)
    this.barriers.push(...(await findBarriers(page)))
    await lookAt(page, light)
  }
}
