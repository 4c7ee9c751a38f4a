import { expect, test, vi } from 'vitest'
import { addUser, signInAs, type TestServer } from '../../testing/server.ts'
import { startMailing } from '../../testing/worlds/mailing-world.ts'

const PRODUCTION = {
  PLACARD_MODE: 'production',
  FACTOR_REQUIRED_ROLES: 'none',
  JWT_SECRET: 'x'.repeat(32),
  USER_KEY_SECRET: 'x'.repeat(32),
  ENCRYPTION_SECRET: 'x'.repeat(32),
  TRACKING_KEYS: `1:${'x'.repeat(32)}`,
}
const PATH = '/api/v1/admin/first-steps'

interface CheckList {
  readonly isOpen: boolean
  readonly steps: readonly { readonly name: string; readonly isDone: boolean }[]
  readonly mail: { readonly acceptedAt: string | null; readonly failure: string | null }
}

/** The only operator of a platform without anything else, as a caller. */
async function firstOperator(server: Pick<TestServer, 'http' | 'deps'>) {
  const { email, account } = await addUser(server.deps, 'operator')
  const { headers } = await signInAs(server, email)
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, payload?: object) => {
    const answer = await server.http.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: answer.statusCode, body: answer.json() }
  }
  const make = async (path: string, payload: object): Promise<{ id: string }> =>
    (await call('POST', `/api/v1/admin/${path}`, payload)).body
  const read = async (): Promise<CheckList> => (await call('GET', PATH)).body
  const undone = async () =>
    (await read()).steps.filter((one) => !one.isDone).map((one) => one.name)
  return { email, account, call, make, read, undone }
}

test('each step is done when the data says so, and the mail when the mail server accepted it', async () => {
  const server = await startMailing(PRODUCTION)
  const { email, account, call, make, read, undone } = await firstOperator(server)
  const accountId = account.publicId
  const seen = [await undone()]
  const step = async (work: Promise<unknown>) => {
    await work
    seen.push(await undone())
  }

  await step(call('PATCH', `/api/v1/admin/accounts/${accountId}`, { name: 'Harbour Media' }))
  const mailed = await call('POST', `${PATH}/test-mail`)
  await step(vi.waitFor(async () => expect((await read()).mail.acceptedAt).toBeTruthy(), 20_000))
  const publisher = await make('publishers', { accountId, name: 'Harbour', currency: 'EUR' })
  await step(Promise.resolve())
  const inIt = { publisherId: publisher.id }
  await step(make('sites', { ...inIt, name: 'Harbour', domain: 'harbour.example' }))
  await step(make('placements', { ...inIt, slug: 'top', label: 'Top', layoutType: 'inline_card' }))
  await step(make('advertisers', { accountId, name: 'Ferries', currency: 'EUR' }))

  expect(mailed).toEqual({ status: 202, body: { sentTo: email } })
  expect(server.mails.map(({ to }) => to)).toEqual([[email]])
  expect(seen[0]).toEqual([
    'organisation',
    'mail',
    'second-factor',
    'publisher',
    'site',
    'placement',
    'tag',
    'advertiser',
    'campaign',
    'impression',
  ])
  const gone = seen.slice(1).map((now, place) => seen[place]!.filter((name) => !now.includes(name)))
  expect(gone).toEqual([
    ['organisation'],
    ['mail'],
    ['publisher'],
    ['site'],
    ['placement'],
    ['advertiser'],
  ])
})

test('what the mail server says to a test mail is shown', async () => {
  const server = await startMailing(PRODUCTION, () => 'Relay access denied')
  const { call, read, undone } = await firstOperator(server)

  await call('POST', `${PATH}/test-mail`)
  await vi.waitFor(async () => expect((await read()).mail.failure).toBeTruthy(), 20_000)

  expect((await read()).mail.failure).toMatch(/Relay access denied/)
  expect(await undone()).toContain('mail')
})

test('the list is open until it is put aside, and an operator can show it again', async () => {
  const server = await startMailing(PRODUCTION)
  const { call, read } = await firstOperator(server)
  const before = await read()

  const aside = await call('PUT', PATH, { isPutAside: true })
  const again = await call('PUT', PATH, { isPutAside: false })

  expect([before.isOpen, aside.body.isOpen, again.body.isOpen]).toEqual([true, false, true])
  expect(aside.body.steps).toEqual(before.steps)
})
