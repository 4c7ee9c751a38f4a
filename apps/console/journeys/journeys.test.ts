import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freshDatabase } from '../../server/src/testing/services/database.ts'
import { blockOnPhone } from './block-session.ts'
import { bookAndSee } from './booking.ts'
import { askOwnWhy, mendCampaign } from './delivery.ts'
import { BOOKINGS } from './bookings.ts'
import { addCampaigns, blockSession, squeezedBytes, syncChannels } from './facts.ts'
import { changeTogether } from './bulk.ts'
import { comeFromCompany } from './company-sign-in.ts'
import { scrollToTheEnd } from './long-list.ts'
import { loseConnection } from './connection.ts'
import { differenceOf, PICTURES } from './looks.ts'
import { PAGES_TO_SEE, THINGS_TO_SEE } from './pages.ts'
import { rejectAndRevoke } from './rejecting.ts'
import { takeTwoSteps } from './two-step.ts'
import {
  findBarriers,
  lookAt,
  PHONE_IN_THE_DARK,
  settled,
  startWorld,
  type World,
} from './world.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000, maxConcurrency: 3 })

const ends: (() => Promise<void>)[] = []
let world: World

beforeAll(async () => {
  const { url } = await freshDatabase(undefined, (end) => void ends.unshift(end))
  world = await startWorld(url)
  ends.unshift(() => world.stop())
})
afterAll(async () => {
  for (const end of ends) await end()
})

describe.concurrent('every page', () => {
  test.each(PAGES_TO_SEE.flatMap((page) => page.people.map((person) => ({ ...page, person }))))(
    '$path opens for $person without barriers, also in the dark on a phone, and is no wider than its screen',
    async ({ path, heading, person }) => {
      const page = await world.open(person, path)
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await settled(page)
      expect(await findBarriers(page)).toEqual([])

      await lookAt(page, PHONE_IN_THE_DARK)
      await settled(page)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
      expect(await findBarriers(page)).toEqual([])
      await page.close()
    },
  )

  test.each(THINGS_TO_SEE)('from $list to its things without barriers', async (thing) => {
    const page = await world.open(thing.person, thing.list)
    await page.getByRole('link', { name: thing.link }).first().click()
    await page.getByRole('navigation', { name: 'Breadcrumb' }).waitFor()
    const wrong: string[] = []
    for (const tab of thing.tabs.length > 0 ? thing.tabs : ['']) {
      if (tab) await page.getByRole('tab', { name: tab }).click()
      await settled(page)
      wrong.push(...(await findBarriers(page)).map((barrier) => `${tab} ${barrier}`))
    }

    expect(wrong).toEqual([])
    await page.close()
  })
})

test('without a connection, a page that was not loaded says so, and opens by itself when the connection is back', async () => {
  expect(await loseConnection(world)).toBe('Reports')
})

describe('signing in', () => {
  test('a user without a session signs in, and then sees the page they wanted', async () => {
    const page = await world.open(undefined, '/campaigns?status=active')
    await page.getByRole('button', { name: /^Ad ops/ }).click()

    await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
    expect(new URL(page.url()).search).toBe('?status=active')
    await page.close()
  })

  test('a wrong password is reported, with what to do', async () => {
    const page = await world.open(undefined, '/sign-in')
    await page.getByLabel('E-mail').fill('adops@demo.placard.example')
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()

    expect(await page.getByRole('alert').textContent()).toMatch(/password/i)
    await page.close()
  })

  test('no script can read the refresh token', async () => {
    const page = await world.open('trust', '/')
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()

    const seen = await page.evaluate<string>(
      'document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)',
    )

    const [cookie] = await page.context().cookies(`${world.address}/api/v1/auth`)
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict' })
    expect(seen).not.toContain(cookie!.value)
    expect(seen).not.toMatch(/eyJ/)
    await page.close()
  })

  test('two tabs that open at once are both signed in, and stay so', async () => {
    const first = await world.open('trust', '/')
    await first.getByRole('heading', { name: /^Hello/ }).waitFor()
    const second = await first.context().newPage()

    await Promise.all([first.reload(), second.goto(world.address)])

    for (const page of [first, second]) {
      await page.getByRole('heading', { name: /^Hello/ }).waitFor()
      await page.reload()
      await page.getByRole('heading', { name: /^Hello/ }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
      await page.close()
    }
  })

  test('a reload during a refresh keeps the session, although the answer is lost', async () => {
    const page = await world.open('trust', '/', { isFresh: true })
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
    const before = await page.context().cookies(`${world.address}/api/v1/auth`)
    const { promise: swapped, resolve } = Promise.withResolvers<void>()
    await page.route('**/auth/refresh', async (route) => {
      await route.fetch()
      await page.context().addCookies(before)
      resolve()
    })
    await Promise.all([page.reload(), swapped])
    await page.unroute('**/auth/refresh')

    await page.reload()

    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    await page.close()
  })

  test('signing out in one tab signs out the other', async () => {
    const first = await world.open('publisher', '/', { isFresh: true })
    await first.getByRole('heading', { name: /^Hello/ }).waitFor()
    const second = await first.context().newPage()
    await second.goto(world.address)
    await second.getByRole('heading', { name: /^Hello/ }).waitFor()

    await second.evaluate("localStorage.removeItem('placard.session-id')")

    await first.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(new URL(first.url()).pathname).toBe('/sign-in')
    await first.context().close()
  })

  test('a user whose session was blocked sees why, and what to do', async () => {
    const page = await world.open('advertiser2', '/', { isFresh: true })
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
    const id = await page.evaluate<string>("localStorage.getItem('placard.session-id')")
    await blockSession(world, id)

    await page.reload()

    const banner = page.getByRole('status').filter({ hasText: 'Your session was blocked' })
    await banner.waitFor()
    expect(await banner.textContent()).toMatch(/Sign in again and change your password/)
    await page.context().close()
  })

  test('an operator invites a user by a link, and the user signs in with a password of their own', async () => {
    const page = await world.open('operator', '/account?tab=users')
    await page.getByRole('button', { name: 'Invite user' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Ines Invited')
    await dialog.getByLabel('E-mail').fill('ines@test.example')
    await dialog.getByLabel('Account').click()
    await page.getByRole('option', { name: 'Northwind Outfitters' }).click()
    await dialog.getByRole('button', { name: 'Invite user' }).click()
    const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue()
    await page.close()

    const invited = await world.open(undefined, new URL(link).pathname + new URL(link).hash)
    await invited.getByLabel('New password').fill('seven unusual purple words')
    await invited.getByRole('button', { name: 'Save password' }).click()
    await invited.getByText('Your password is saved').waitFor()
    await invited.getByRole('link', { name: 'Go to sign in' }).click()
    await invited.getByLabel('E-mail').fill('ines@test.example')
    await invited.getByLabel('Password').fill('seven unusual purple words')
    await invited.getByRole('button', { name: 'Sign in', exact: true }).click()
    await invited.getByRole('heading', { name: /^Hello/ }).waitFor()

    expect(new URL(invited.url()).pathname).toBe('/')
    await invited.context().close()
  })

  test('a role sees its own pages in the navigation, and no others', async () => {
    const page = await world.open('publisher', '/')
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await pages.getByRole('link', { name: 'Home' }).waitFor()

    expect(await pages.getByRole('link', { name: 'Campaigns' }).count()).toBe(0)
    await page.close()
  })
})

test('a link to a thing of another account shows nothing of it', async () => {
  const own = await world.open('advertiser', '/campaigns?search=trail')
  const link = await own.getByRole('link', { name: /Autumn trails/ }).getAttribute('href')
  await own.close()

  const other = await world.open('advertiser2', link!)
  await other.getByText('Not found').waitFor()

  expect(await other.getByText('Autumn trails').count()).toBe(0)
  await other.close()
})

test('a user of ad operations finds a campaign that does not deliver and mends it where it says why; an advertiser asks why about its own', async () => {
  expect([...(await mendCampaign(world)), ...(await askOwnWhy(world))]).toEqual([])
}, 120_000)

test('a publisher rejects a banner with a reason, and revokes the decision', async () => {
  expect(await rejectAndRevoke(world)).toBe(0)
})

test('an advertiser creates a banner from a picture and sees it in a layout', async () => {
  const page = await world.open('advertiser', '/creatives/new')
  await page.getByLabel('Title').fill('Warm socks')
  await page.getByLabel('Image from this device').setInputFiles({
    name: 'socks.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="250"><rect width="300" height="250" fill="#0f3d3e"/></svg>',
    ),
  })
  await expect.poll(() => page.getByLabel('Image URL').inputValue()).toMatch(/^\/api/)
  await page.getByLabel('Layout').selectOption('all')
  await page.getByText('Full screen', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Create banner' }).click()

  await page.getByRole('heading', { level: 1, name: 'Warm socks' }).waitFor()
  await page.getByText('Northwind Outfitters · Single image · 300 × 250').waitFor()
  await page.close()
})

test('a user of trust dismisses a review with a reason, which is kept with their name', async () => {
  const page = await world.open('trust', '/trust')
  await page.getByRole('table', { name: 'Users to review' }).getByRole('link').first().click()
  const review = page.getByRole('region', { name: 'Review' })
  await review.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByLabel('Reason').selectOption({ label: 'The user has confirmed it' })
  await page.getByLabel('Comment').fill('Called on Monday')
  await page.getByRole('button', { name: 'Dismiss review' }).click()

  const decided = page
    .getByRole('region', { name: 'Decisions' })
    .getByRole('listitem')
    .filter({ hasText: 'The review was dismissed' })
  await decided.getByText('Called on Monday').waitFor()
  expect(await decided.textContent()).toMatch(/The user has confirmed it.*Thea Lindqvist/)
  await page.close()
})

test('a user of trust blocks a session by hand on a phone: its table needs no scrolling, and the decision is listed', async () => {
  const { decision, overhang } = await blockOnPhone(world)

  expect(decision).toMatch(/A lost device.*Thea Lindqvist/)
  expect(overhang).toBe(0)
})

test('a report with chosen dimensions is filtered by name, saved and sent every week', async () => {
  const page = await world.open('adops', '/reports')
  await page.getByRole('button', { name: /^Metrics/ }).click()
  await page.getByRole('checkbox', { name: 'CPC' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('columnheader', { name: 'CPC' }).waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Campaign' }).click()
  await page
    .getByRole('checkbox', { name: /^Autumn trails/ })
    .first()
    .click()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(2)

  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByLabel('Name').fill('Trails by the week')
  await page.getByLabel('Send', { exact: true }).selectOption({ label: 'Every Monday' })
  await page.getByRole('button', { name: 'Save report' }).click()
  const saved = page.getByRole('listitem').filter({ hasText: 'Trails by the week' })
  await saved.getByText(/sent every week/).waitFor()

  await page.goto(`${world.address}/reports?by=day`)
  await saved.getByRole('button', { name: 'Trails by the week', exact: true }).click()
  await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(2)
  await page.close()
})

test('one report has our own and other channels', async () => {
  await syncChannels(world, 'advertiser')
  const page = await world.open('advertiser', '/reports?by=channel')
  await page.getByRole('switch', { name: 'All channels' }).click()

  await page.getByRole('cell', { name: 'Own sites' }).first().waitFor()
  await page.getByRole('cell', { name: 'Meta', exact: true }).first().waitFor()
  expect(new URL(page.url()).searchParams.get('channels')).toBe('all')
  await page.close()
})

test('an operator sees the running servers and the current settings, but no secret', async () => {
  const page = await world.open('operator', '/operations?tab=nodes')
  await page.getByText('This server', { exact: true }).first().waitFor()
  await page.getByText('Background jobs', { exact: true }).first().waitFor()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByLabel('Search settings').fill('database_url')
  const row = page.getByRole('row').filter({ hasText: 'DATABASE_URL' })

  await row.getByText('Set, secret').waitFor()
  expect(await page.getByText('postgres://').count()).toBe(0)
  await page.close()
})

test('the server’s fault is shown beside its field', async () => {
  const page = await world.open('advertiser', '/creatives/new')
  await page.getByLabel('Title').fill('Nowhere')
  await page.getByLabel('Image URL').fill('no address')
  await page.getByRole('button', { name: 'Create banner' }).click()
  await page.getByRole('alert').waitFor()

  expect(await page.getByLabel('Image URL').getAttribute('aria-invalid')).toBe('true')
  await page.close()
})

test('a list of a thousand rows draws only the visible ones, and can be scrolled to its end', async () => {
  await addCampaigns(world, 1_000)
  expect(await scrollToTheEnd(world)).toBeLessThan(120)
})

test('the first load has at most 250 kB of compressed script', async () => {
  const page = await world.open('adops', '/')
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await settled(page)
  const names = await page.evaluate<string[]>(
    "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))",
  )

  expect(names.length).toBeGreaterThan(1)
  expect(await squeezedBytes(names)).toBeLessThan(250_000)
  await page.close()
})

test('a first-time user books a campaign, sees it in the shop, asks why another was not shown, reads its spend, and pauses it in at most 25 steps', async () => {
  const { steps } = await bookAndSee(world, async () => {})

  expect(steps).toBeLessThanOrEqual(25)
})

test.each(BOOKINGS)('$rule', ({ go, ends }) => expect(go(world)).resolves.toEqual(ends), 180_000)

test('a user who needs a second step sets it up, signs in with an app, a passkey and a recovery code, and is let in again after losing them all', async () => {
  const { barriers, signedInWith } = await takeTwoSteps(world, async () => {})

  expect(barriers).toEqual([])
  expect(signedInWith).toEqual([
    'set-up',
    'app',
    'password and passkey',
    'passkey',
    'recovery code',
  ])
})

test('an operator enters the company’s identity provider, its people come in by its rules, and who does not is told why', async () => {
  const { barriers, seen } = await comeFromCompany(world, async () => {})

  expect(barriers).toEqual([])
  expect(seen).toEqual(['entered', 'in', 'signed out there too', 'refused', 'connected', 'blocked'])
})

test('ad operations raise the budgets of all selected campaigns by a tenth, see each change before and after, and undo them as one', async () => {
  const { barriers, raised, differing } = await changeTogether(world, async () => {})

  expect(raised).toBeGreaterThan(5)
  expect([...barriers, ...differing]).toEqual([])
})

test.each(PICTURES)('$name looks like its stored picture', async (picture) => {
  expect(await differenceOf(world, picture)).toBeLessThan(0.02)
})

test('no page requested another origin, threw, or logged an error', () => {
  expect(world.faults).toEqual([])
})
