import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { freshDatabase } from '../../server/src/testing/services/database.ts'
import { startIdentityProvider } from '../../server/src/testing/services/identity-provider.ts'
import { freePort } from '../../server/src/testing/services/redis.ts'
import { addUser, PASSWORD, signInAs, startServerOn } from '../../server/src/testing/server.ts'
import type { Snap } from './booking.ts'
import { findBarriers, lookAt, PHONE_IN_THE_DARK, settled, type World } from './world.ts'

/** What people met, and what kept them from it. */
export interface Visitors {
  readonly barriers: readonly string[]
  readonly seen: readonly string[]
}

/**
 * An operator enters an identity provider. Somebody comes in by its rules and signs out, somebody else is
 * told why not, a user with a password connects it, and a blocked session is told as one.
 */
export async function comeFromCompany(world: World, snap: Snap): Promise<Visitors> {
  const company = await startCompany()
  const guide = new Guide(world, company, snap)
  await guide.enterProvider()
  await guide.comeInAndLeave()
  await guide.beRefused()
  await guide.connect()
  await guide.beBlocked()
  return guide
}

type Company = Awaited<ReturnType<typeof startCompany>>

/** Placard without a demo, and a real provider with three people. */
async function startCompany() {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const provider = await startIdentityProvider({
    redirectUris: [`${address}/sign-in/company`],
    atEnd: onTestFinished,
  })
  const person = { emailVerified: true, groups: ['ad-operations'] }
  provider.people
    .set('ada', { ...person, name: 'Ada Winter', email: 'ada@company.example' })
    .set('eve', { ...person, name: 'Eve Summer', email: 'eve@company.example', groups: [] })
    .set('bo', { ...person, name: 'Bo Autumn', email: 'bo@company.example' })
  const settings = { PUBLIC_URL: address, OIDC_ALLOWED_HOSTS: '127.0.0.1' }
  const server = await startServerOn(await freshDatabase(), { settings })
  await server.http.listen({ host: '127.0.0.1', port })
  const operator = await addUser(server.deps, 'operator')
  const member = await addUser(server.deps, 'ad-ops', operator.account)
  return { ...server, address, provider, operator, member }
}

class Guide implements Visitors {
  readonly barriers: string[] = []
  readonly seen: string[] = []
  private readonly world: World
  private readonly company: Company
  private readonly snap: Snap

  constructor(world: World, company: Company, snap: Snap) {
    this.world = world
    this.company = company
    this.snap = snap
  }

  async enterProvider(): Promise<void> {
    const { provider, operator } = this.company
    const page = await this.open('/account?tab=company')
    await signInWithPassword(page, operator.email)
    await press(page, 'New provider')
    const type = (label: string, text: string) =>
      page.getByLabel(label, { exact: true }).first().fill(text)
    await type('Name', 'Company sign-in')
    await type('Short name', 'company')
    await type('Issuer', provider.issuer)
    await type('Client id', provider.clientId)
    await type('Client secret', provider.clientSecret)
    await type('E-mail domains', 'company.example')
    await press(page, 'Add rule')
    await page.getByLabel('Group · optional').fill('ad-operations')
    await page.getByLabel('Role', { exact: true }).selectOption('ad-ops')
    await page.getByText('More settings').click()
    await type('Further scopes · optional', 'groups')
    await this.look(page, 'New identity provider', 'provider-form')
    await press(page, 'Add provider')
    await page.getByText(/The provider answers/).waitFor()
    await this.look(page, 'Company sign-in', 'provider-addresses')
    await press(page, 'Done')
    await page.getByRole('cell', { name: provider.issuer }).waitFor()
    await this.look(page, 'Account', 'providers')
    await this.meet(page, 'entered')
  }

  async comeInAndLeave(): Promise<void> {
    const page = await this.open('/account')
    await this.look(page, 'Sign in', 'sign-in-with-provider')
    await continueAs(page, 'Ada Winter')
    await page.getByText(/^Ada Winter, ad-ops of /).waitFor()
    await this.meet(page, 'in', { isLast: false })
    await page
      .getByRole('button', { name: /Ada Winter/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await this.look(page, 'Sign in', 'sign-out-there-too')
    await page.getByRole('link', { name: 'Sign out there too' }).click()
    await press(page, 'Sign out')
    await page.waitForURL(`${this.company.address}/sign-in**`)
    await this.meet(page, 'signed out there too')
  }

  async beRefused(): Promise<void> {
    const page = await this.open('/sign-in')
    await continueAs(page, 'Eve Summer')
    await page.getByText(/nobody has given you access to Placard.*eve@company.example/).waitFor()
    await this.look(page, 'Sign in', 'refused-by-rules')
    await this.meet(page, 'refused')
  }

  async connect(): Promise<void> {
    const page = await this.open('/account?tab=connected')
    await signInWithPassword(page, this.company.member.email)
    await press(page, 'Connect Company sign-in')
    await page.getByRole('link', { name: 'Bo Autumn' }).click()
    await page.getByText('bo@company.example').waitFor()
    await this.look(page, 'Account', 'connected-sign-ins')
    await this.meet(page, 'connected')
  }

  async beBlocked(): Promise<void> {
    const { company } = this
    const page = await this.open('/account')
    await continueAs(page, 'Ada Winter')
    await page.getByText(/^Ada Winter, ad-ops of /).waitFor()
    const sessionId = await page.evaluate("localStorage.getItem('placard.session-id')")
    const { headers } = await signInAs(company, company.operator.email)
    await company.http.inject({
      method: 'POST',
      url: `/api/v1/admin/sessions/${String(sessionId)}/block`,
      headers,
      payload: { reasonCode: 'geo_guard' },
    })
    await page.reload()
    await page.getByText('Your session was blocked to protect your account').waitFor()
    await this.meet(page, 'blocked')
  }

  private async open(path: string): Promise<Page> {
    const { address, provider } = this.company
    const page = await this.world.visit([address, provider.issuer], '/icon.svg')
    // The server's day is fixed, and a browser that is months ahead would find every token over.
    await page.clock.setFixedTime(this.company.deps.clock.now())
    await page.goto(address + path)
    return page
  }

  private async meet(page: Page, what: string, { isLast = true } = {}): Promise<void> {
    this.seen.push(what)
    if (isLast) await page.context().close()
  }

  /** The page is accessible, wide and in the dark on a phone. */
  private async look(page: Page, heading: string, name: string): Promise<void> {
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    await settled(page)
    for (const shape of [WIDE, PHONE_IN_THE_DARK]) {
      await lookAt(page, shape)
      await this.snap(page, `${name}-${shape.theme}`)
      const found = await findBarriers(page)
      this.barriers.push(...found.map((barrier) => `${name} ${barrier}`))
    }
    await lookAt(page, WIDE)
  }
}

const WIDE = { width: 1_440, theme: 'light' } as const

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function signInWithPassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await press(page, 'Sign in')
}

async function continueAs(page: Page, name: string): Promise<void> {
  await press(page, 'Continue with Company sign-in')
  await page.getByRole('link', { name }).click()
}
