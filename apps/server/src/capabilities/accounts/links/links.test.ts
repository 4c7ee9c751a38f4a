import { describe, expect, test } from 'vitest'
import {
  addUser,
  PASSWORD,
  signInAs,
  startServer,
  type TestServer,
} from '../../../testing/server.ts'
import { startMailing } from '../../../testing/worlds/mailing-world.ts'
import { signInLinks } from '../tables.ts'

const NEW = 'seven unusual purple words'

const post = (
  { http }: Pick<TestServer, 'http'>,
  url: string,
  ...[payload, headers = {}]: [payload?: object, headers?: Record<string, string>]
) => http.inject({ method: 'POST', url: `/api/v1${url}`, headers, ...(payload && { payload }) })

const tokenIn = (link: string) => link.split('#')[1]!

const linkIn = (mail: string) => /https:\/\/ads\.test\.example\/[a-z-]+#[\w-]{43}/.exec(mail)![0]

describe('without mail set up', () => {
  test('without mail, an operator who invites somebody sees the link once, and its holder chooses a password', async () => {
    const server = await startServer()
    const { headers, account } = await operatorOf(server)
    const invited = await post(
      server,
      '/admin/users/invite',
      { accountId: account, email: 'new@test.example', displayName: 'New', role: 'ad-ops' },
      headers,
    )
    const { link, sentTo, user } = invited.json()

    const chosen = await post(server, '/auth/choose-password', {
      linkToken: tokenIn(link),
      password: NEW,
    })

    expect(invited.statusCode).toBe(201)
    expect(sentTo).toBeNull()
    expect(user).toMatchObject({ email: 'new@test.example', role: 'ad-ops' })
    expect(chosen.statusCode).toBe(204)
    const signIn = { email: 'new@test.example', password: NEW }
    expect((await post(server, '/auth/sign-in', signIn)).statusCode).toBe(200)
  })

  test('a link works once, not when it is old, and not after a newer one', async () => {
    const server = await startServer()
    const { headers } = await operatorOf(server)
    const { publicId } = await addUser(server.deps, 'advertiser')
    const send = async () =>
      tokenIn(
        (await post(server, `/admin/users/${publicId}/password-link`, undefined, headers)).json()
          .link,
      )
    const older = await send()
    const newer = await send()
    const choose = async (token: string) =>
      (await post(server, '/auth/choose-password', { linkToken: token, password: NEW })).statusCode
    const codes = []
    for (const token of [older, newer, newer]) codes.push(await choose(token))
    const late = await send()
    server.deps.clock.advance(60 * 60)
    codes.push(await choose(late))

    expect(codes).toEqual([400, 204, 400, 400])
  })

  test('when a link is used twice at the same moment, one use wins', async () => {
    const server = await startServer()
    const { headers } = await operatorOf(server)
    const { publicId } = await addUser(server.deps, 'advertiser')
    const sent = await post(server, `/admin/users/${publicId}/password-link`, undefined, headers)
    const token = tokenIn(sent.json().link)

    const answers = await Promise.all(
      [NEW, `${NEW} again`].map((password) =>
        post(server, '/auth/choose-password', { linkToken: token, password }),
      ),
    )

    expect(answers.map(({ statusCode }) => statusCode)).toSatisfy(
      (codes: number[]) => codes.includes(204) && codes.includes(400),
    )
  })

  test('only the hash of a link is stored', async () => {
    const server = await startServer()
    const { headers } = await operatorOf(server)
    const { publicId } = await addUser(server.deps, 'advertiser')
    const sent = await post(server, `/admin/users/${publicId}/password-link`, undefined, headers)

    const rows = await server.deps.db.select().from(signInLinks)

    expect(rows).toHaveLength(1)
    expect(rows[0]!.tokenHash.toString()).not.toContain(tokenIn(sent.json().link))
    expect(sent.headers['cache-control']).toBe('no-store')
  })

  test('a new e-mail address needs both links, and then signs in', async () => {
    const server = await startServer()
    const { headers } = await operatorOf(server)
    const { publicId, email: old } = await addUser(server.deps, 'advertiser')
    const email = 'other@test.example'
    const asked = await post(server, `/admin/users/${publicId}/email`, { email }, headers)
    const [one, two] = asked.json().items.map(({ link }: { link: string }) => tokenIn(link))

    const first = await post(server, '/auth/confirm-email', { linkToken: one })
    const before = await signInAs(server, old)
    const second = await post(server, '/auth/confirm-email', { linkToken: two })

    expect([first.json(), second.json()]).toEqual([{ isChanged: false }, { isChanged: true }])
    expect(before.accessToken).toBeDefined()
    expect((await signInAs(server, email)).accessToken).toBeDefined()
    expect((await signInAs(server, old)).accessToken).toBeUndefined()
  })

  test('without mail, a forgotten password gets the usual answer, and nobody can change their own address', async () => {
    const server = await startServer()
    const { email } = await addUser(server.deps, 'advertiser')
    const { headers } = await signInAs(server, email)

    const forgot = await post(server, '/auth/forgot-password', { email })
    const own = await post(
      server,
      '/me/email',
      { email: 'other@test.example', currentPassword: PASSWORD },
      headers,
    )

    expect(forgot.statusCode).toBe(202)
    expect(own.json()).toMatchObject({ status: 409, code: 'MAIL_NOT_SET' })
  })
})

describe('with mail', () => {
  test('invitations and password links go by mail, and no answer contains one', async () => {
    const server = await startMailing()
    const { headers, account } = await operatorOf(server)
    const email = 'new@test.example'
    const body = { accountId: account, email, displayName: 'New', role: 'trust' }

    const invited = await post(server, '/admin/users/invite', body, headers)
    const invitation = linkIn(await server.mailTo(email, /invited/))
    const accepted = await post(server, '/auth/choose-password', {
      linkToken: tokenIn(invitation),
      password: NEW,
    })
    await post(server, '/auth/forgot-password', { email: email.toUpperCase() })
    const forgotten = linkIn(await server.mailTo(email, /Choose a new password/))
    const chosen = await post(server, '/auth/choose-password', {
      linkToken: tokenIn(forgotten),
      password: `${NEW} again`,
    })

    expect(invited.json()).toMatchObject({ link: null, sentTo: email })
    expect([accepted.statusCode, chosen.statusCode]).toEqual([204, 204])
    await server.mailTo(email, /Your Placard password was changed/)
  })

  test('no answer shows whether an address is known, and strangers get no mail', async () => {
    const server = await startMailing()
    const { email } = await addUser(server.deps, 'advertiser')

    const stranger = await post(server, '/auth/forgot-password', { email: 'nobody@test.example' })
    const known = await post(server, '/auth/forgot-password', { email })

    expect([stranger.statusCode, stranger.body]).toEqual([known.statusCode, known.body])
    await server.mailTo(email, /Choose a new password/)
    expect(server.mails.flatMap(({ to }) => to)).toEqual([email])
  })

  test('a sign-in from a new device is reported by mail, one from a known browser is not', async () => {
    const server = await startMailing()
    const { email } = await addUser(server.deps, 'advertiser')
    const signIn = (agent: string, cookie?: string) =>
      server.http.inject({
        method: 'POST',
        url: '/api/v1/auth/sign-in',
        headers: { 'user-agent': agent, host: 'ads.test.example', ...(cookie && { cookie }) },
        payload: { email, password: PASSWORD, refreshTokenIn: 'cookie' },
      })
    const first = await signIn('Firefox')
    const cookies = [first.headers['set-cookie']].flat().map((one) => one!.split(';')[0])

    await signIn('Firefox', cookies.join('; '))
    await signIn('A thief')

    expect(await server.mailTo(email, /New sign-in/)).toContain('A thief')
    expect(server.mails).toHaveLength(1)
  })

  test('users change their own address with the password, once both addresses have agreed', async () => {
    const server = await startMailing()
    const { email: old } = await addUser(server.deps, 'advertiser')
    const { headers } = await signInAs(server, old)
    const email = 'other@test.example'
    const ask = (currentPassword: string) =>
      post(server, '/me/email', { email, currentPassword }, headers)

    expect((await ask('wrong')).json()).toMatchObject({ code: 'PASSWORD_WRONG' })
    expect((await ask(PASSWORD)).statusCode).toBe(204)
    for (const to of [old, email]) {
      const token = tokenIn(linkIn(await server.mailTo(to, /Confirm your new/)))
      expect((await post(server, '/auth/confirm-email', { linkToken: token })).statusCode).toBe(200)
    }
    expect((await signInAs(server, email)).accessToken).toBeDefined()
  })
})

describe('sessions', () => {
  test('a user ends all sessions but this one, and an operator ends all', async () => {
    const server = await startServer()
    const { headers } = await operatorOf(server)
    const { email, publicId } = await addUser(server.deps, 'advertiser')
    const [phone, laptop] = [await signInAs(server, email), await signInAs(server, email)]
    const works = async ({ headers }: { headers: object }) =>
      (await server.http.inject({ url: '/api/v1/me', headers: { ...headers } })).statusCode

    await server.http.inject({
      method: 'DELETE',
      url: '/api/v1/me/sessions',
      headers: laptop.headers,
    })
    const after = [await works(phone), await works(laptop)]
    await post(server, `/admin/users/${publicId}/end-sessions`, undefined, headers)

    expect(after).toEqual([401, 200])
    expect(await works(laptop)).toBe(401)
  })

  test('another role applies from the next request on', async () => {
    const server = await startServer()
    const { headers } = await operatorOf(server)
    const { email, publicId } = await addUser(server.deps, 'ad-ops')
    const session = await signInAs(server, email)

    await server.http.inject({
      method: 'PATCH',
      url: `/api/v1/admin/users/${publicId}`,
      headers,
      payload: { role: 'trust' },
    })

    const list = (url: string) => server.http.inject({ url, headers: session.headers })
    expect((await list('/api/v1/admin/campaigns')).statusCode).toBe(403)
    expect((await list('/api/v1/admin/users')).statusCode).toBe(200)
  })
})

async function operatorOf(server: Pick<TestServer, 'http' | 'deps'>) {
  const { email, account } = await addUser(server.deps, 'operator')
  const { headers } = await signInAs(server, email)
  return { headers: headers as Record<string, string>, account: account.publicId }
}
