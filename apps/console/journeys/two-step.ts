import type { BrowserContext, Page } from 'playwright-core'
import { connect } from '../../server/src/platform/database/connect.ts'
import { codeOf } from '../../server/src/testing/factors.ts'
import type { Snap } from './booking.ts'
import { callerFor } from './facts.ts'
import { findBarriers, lookAt, PHONE_IN_THE_DARK, settled, type World } from './world.ts'

const PASSWORD = 'ferry lantern quartz meadow 7'
const EMAIL = 'tomas@two-step.example'
const STEP_MS = 30_000

/** The accessibility faults on the way, and how the user signed in each time. */
export interface TwoSteps {
  readonly barriers: readonly string[]
  readonly signedInWith: readonly string[]
}

/**
 * A user whose account requires a second step sets up an authenticator app and a passkey, and signs
 * in with each of them, with the passkey alone, and with a recovery code. Then an operator resets
 * them.
 */
export async function takeTwoSteps(world: World, snap: Snap): Promise<TwoSteps> {
  await addPerson(world)
  const page = await world.open(undefined, '/sign-in', { isNamed: true })
  await addDevice(page)
  const person = new Tomas(page, snap)
  await person.setUpApp()
  await person.signInWithApp()
  await person.addPasskey()
  await person.signInWithPasskey()
  await person.signInWithPasskeyAlone()
  await letAnHourPass(world)
  await person.removePasskey()
  await person.signInWithRecoveryCode()
  await page.context().close()
  await resetByOperator(world, person)
  return person
}

/** An account that requires a second step, with one user. */
async function addPerson({ address }: World): Promise<void> {
  const call = await callerFor(address, 'operator')
  const account = { kind: 'advertiser', name: 'Two Step Travel', requiresFactor: true }
  const { id: accountId } = (await call('POST', '/admin/accounts', account)) as { id: string }
  const person = { email: EMAIL, displayName: 'Tomas Twostep', role: 'advertiser' }
  await call('POST', '/admin/users', { ...person, accountId, password: PASSWORD })
}

/** A laptop with a fingerprint reader, simulated by Chromium. */
async function addDevice(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** As if the user had signed in an hour earlier. */
async function letAnHourPass({ databaseUrl }: World): Promise<void> {
  const settings = { url: databaseUrl, connectionsMax: 1, statementTimeoutMs: 5_000 }
  const { pool, close } = connect(settings)
  await pool.query(
    `update device_sessions set created_at = created_at - interval '1 hour', proven_at = null
      where user_id = (select id from users where email = $1)`,
    [EMAIL],
  )
  await close()
}

class Tomas implements TwoSteps {
  readonly barriers: string[] = []
  readonly signedInWith: string[] = []
  readonly page: Page
  readonly snap: Snap
  private secret = ''
  private recoveryCode = ''

  constructor(page: Page, snap: Snap) {
    this.page = page
    this.snap = snap
  }

  async setUpApp(): Promise<void> {
    const { page } = this
    await this.enterPassword()
    await this.look('Set up two-step sign-in', 'two-step-required')
    await this.press('Set up an app')
    await this.press('Cannot scan? Show the key')
    this.secret = (await page.locator('p.font-mono').innerText()).replaceAll(' ', '')
    await page.getByLabel('Code that the app shows now').fill(codeOf(this.secret, new Date()))
    await this.look('Set up two-step sign-in', 'two-step-app')
    await this.press('Turn on')
    await this.look('Save your recovery codes', 'two-step-codes')
    this.recoveryCode = await page.getByRole('listitem').first().innerText()
    await this.press('I have saved them')
    await this.arrive('set-up')
  }

  async signInWithApp(): Promise<void> {
    await this.enterPassword()
    await this.look('Second step', 'two-step-code')
    // This half minute's code confirmed the app. The next one is accepted early.
    const next = codeOf(this.secret, new Date(Date.now() + STEP_MS))
    await this.page.getByLabel('Code from your authenticator app').fill(next)
    await this.press('Sign in')
    await this.arrive('app')
  }

  async addPasskey(): Promise<void> {
    const { page } = this
    await page.goto(new URL('/account?tab=two-step', page.url()).href)
    await this.press('Add')
    await this.press('Add a passkey')
    await page.getByText(/Chrome on Linux was added/).waitFor()
    await this.look('Account', 'two-step-account')
  }

  async signInWithPasskey(): Promise<void> {
    await this.enterPassword()
    await this.look('Second step', 'two-step-passkey')
    await this.press('Use your passkey')
    await this.arrive('password and passkey')
  }

  async signInWithPasskeyAlone(): Promise<void> {
    await this.leave()
    await this.press('Sign in with a passkey')
    await this.arrive('passkey')
  }

  /** The sign-in is too long ago, so the page asks for the password again. */
  async removePasskey(): Promise<void> {
    const { page } = this
    await page.goto(new URL('/account?tab=two-step', page.url()).href)
    await this.press('Remove Chrome on Linux')
    await this.press('Remove')
    await page.getByLabel('Your password').fill(PASSWORD)
    await this.look('Is it still you?', 'two-step-proof')
    await this.press('Continue')
    await page.getByText(/Chrome on Linux was removed/).waitFor()
  }

  async signInWithRecoveryCode(): Promise<void> {
    await this.enterPassword()
    await this.press('Lost your phone? Use a recovery code')
    await this.page.getByLabel('Recovery code').fill(this.recoveryCode)
    await this.press('Sign in')
    await this.arrive('recovery code')
  }

  /** The page is accessible, wide and in the dark on a phone. */
  async look(heading: string, name: string): Promise<void> {
    const { page } = this
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

  private async enterPassword(): Promise<void> {
    await this.leave()
    await this.page.getByLabel('E-mail').fill(EMAIL)
    await this.page.getByLabel('Password').fill(PASSWORD)
    await this.press('Sign in')
  }

  /** Signs out by deleting the cookies. */
  private async leave(): Promise<void> {
    const { page } = this
    await forget(page.context())
    await page.evaluate('localStorage.clear()')
    await page.goto(new URL('/sign-in', page.url()).href)
  }

  private press = (name: string) => this.page.getByRole('button', { name, exact: true }).click()

  private async arrive(way: string): Promise<void> {
    await this.page.getByRole('heading', { name: /^Hello/ }).waitFor()
    this.signedInWith.push(way)
  }
}

const WIDE = { width: 1_440, theme: 'light' } as const

const forget = (context: BrowserContext) => context.clearCookies()

/**
 * After the phone is lost: the list of users shows who has a second step, and an operator resets
 * it.
 */
async function resetByOperator(world: World, person: Tomas): Promise<void> {
  const page = await world.open('operator', '/account?tab=users')
  const row = page.getByRole('row', { name: /Tomas Twostep/ })
  await row.getByText('On', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Manage Tomas Twostep' }).click()
  await page.getByRole('menuitem', { name: 'Reset two-step sign-in' }).click()
  await person.snap(page, 'two-step-reset')
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await row.getByText('Off', { exact: true }).waitFor()
  await page.close()
}
