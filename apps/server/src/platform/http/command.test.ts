import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { brand } from '../../capabilities/creatives/index.ts'
import { freshDatabase } from '../../testing/services/database.ts'
import { allowed, serverWith } from '../../testing/http.ts'
import { actorOf, depsOn } from '../../testing/world.ts'
import type { Database } from '../database/connect.ts'
import { resourceRoutes, type Actor } from '../resources/index.ts'
import { runCommand, type Answer } from './command.ts'
import type { Http } from './server.ts'

const BRANDS = '/api/v1/admin/brands'
const SECRETS = '/api/v1/admin/secrets'

async function aServer(addRoutes: (http: Http, deps: ReturnType<typeof depsOn>) => void) {
  const deps = depsOn(await freshDatabase())
  const server = await serverWith(deps, (http) => addRoutes(http, deps))
  const send = (actor: Actor) => (key: string, payload: object, url: string) => {
    server.actAs(actor)
    const headers = { 'idempotency-key': key }
    return server.http.inject({ method: 'POST', url, payload, headers })
  }
  return { ...server, deps, send }
}

const somebody = allowed(
  actorOf({ id: 1n, kind: 'platform' }),
  'references:read',
  'references:write',
)
const somebodyElse = { ...somebody, principal: { ...somebody.principal, id: 'somebody else' } }

async function aClient() {
  let secrets = 0
  const server = await aServer((http, deps) => {
    resourceRoutes(http, deps, { resource: brand })
    resourceRoutes(http, deps, { resource: { ...brand, noun: 'label', plural: 'labels' } })
    http.post(
      '/secrets',
      { config: { access: 'signed-in', answerIsSecret: true }, schema: { hide: true } },
      (request, reply) =>
        runCommand(deps, { request, reply }, async () => ({
          status: 201,
          body: { secret: ++secrets },
        })),
    )
  })
  const post = (key: string, payload: object, url = BRANDS) =>
    server.send(somebody)(key, payload, url)
  const postAsOther = (key: string, payload: object) =>
    server.send(somebodyElse)(key, payload, BRANDS)
  const count = () => server.deps.db.$count(brand.table)
  return { server, post, postAsOther, count }
}

describe('a request with an Idempotency-Key', () => {
  test('gets the same answer again, byte for byte, and has one effect', async () => {
    const { post, count } = await aClient()

    const first = await post('once', { name: 'Café 🦄' })
    const second = await post('once', { name: 'Café 🦄' })

    expect(first.statusCode).toBe(201)
    expect(second.statusCode).toBe(201)
    expect(second.rawPayload.equals(first.rawPayload)).toBe(true)
    expect(second.headers.etag).toBe(first.headers.etag)
    expect(second.headers['content-type']).toBe(first.headers['content-type'])
    expect(await count()).toBe(1)
  })

  test('is refused when the key came with another body before', async () => {
    const { post, count } = await aClient()
    await post('once', { name: 'Oak' })

    expect((await post('once', { name: 'Elm' })).json()).toMatchObject({
      status: 409,
      code: 'IDEMPOTENCY_KEY_REUSED',
    })
    expect(await count()).toBe(1)
  })

  test('is refused when the key came with the same body to another route', async () => {
    const { post } = await aClient()
    await post('once', { name: 'Oak' })

    expect((await post('once', { name: 'Oak' }, '/api/v1/admin/labels')).statusCode).toBe(409)
  })

  test('has one effect when it is sent several times at once', async () => {
    const { post, count } = await aClient()

    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post('once', { name: 'Oak' })),
    )

    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201, 201])
    expect(await count()).toBe(1)
  })

  test('can be sent again after it failed', async () => {
    const { post } = await aClient()
    await post('other', { name: 'Oak', externalId: 'tree-1' })

    const refused = await post('once', { name: 'Elm', externalId: 'tree-1' })
    const accepted = await post('once', { name: 'Elm', externalId: 'tree-2' })

    expect([refused.statusCode, accepted.statusCode]).toEqual([409, 201])
  })

  test('is apart from the same key of another caller', async () => {
    const { post, postAsOther, count } = await aClient()

    const mine = await post('once', { name: 'Oak' })
    const theirs = await postAsOther('once', { name: 'Elm' })

    expect([mine.statusCode, theirs.statusCode]).toEqual([201, 201])
    expect(await count()).toBe(2)
  })

  test('is not kept where the answer is a secret', async () => {
    const { server, post } = await aClient()

    const first = await post('once', {}, SECRETS)
    const second = await post('once', {}, SECRETS)

    expect([first.json(), second.json()]).toEqual([{ secret: 1 }, { secret: 2 }])
    const { rows } = await server.deps.db.execute(sql`select 1 from kept_answers`)
    expect(rows).toEqual([])
  })

  test.each(['', 'a key with blanks', 'é', 'x'.repeat(256)])(
    'is refused when the key is no short plain text: %j',
    async (key) => {
      const { post, count } = await aClient()

      expect((await post(key, { name: 'Oak' })).statusCode).toBe(400)
      expect(await count()).toBe(0)
    },
  )
})

describe('a change', () => {
  test('needs the version that was read, where the caller names one', async () => {
    const { server, post } = await aClient()
    const made = await post('once', { name: 'Oak' })
    const patch = (etag: string, name: string) =>
      server.http.inject({
        method: 'PATCH',
        url: `${BRANDS}/${made.json<{ id: string }>().id}`,
        payload: { name },
        headers: { 'if-match': etag },
      })

    const fresh = await patch(String(made.headers.etag), 'Elm')
    const stale = await patch(String(made.headers.etag), 'Ash')
    const nonsense = await patch('yesterday', 'Ash')
    const any = await patch('*', 'Fir')

    expect(fresh.statusCode).toBe(200)
    expect(fresh.headers.etag).not.toBe(made.headers.etag)
    expect(stale.json()).toMatchObject({ status: 412, code: 'VERSION_MISMATCH' })
    expect([nonsense.statusCode, any.statusCode]).toEqual([412, 200])
  })
})

/** A route whose work is in the test's hand. */
async function serverDoing(work: (db: Database) => Promise<Answer>) {
  const { deps, send } = await aServer((http, deps) =>
    http.post(
      '/work',
      { config: { access: 'signed-in' }, schema: { hide: true } },
      (request, reply) => runCommand(deps, { request, reply }, work),
    ),
  )
  const marks = async () =>
    (await deps.db.execute(sql`select sink from outbox_cursors`)).rows.length
  return { send: (key: string) => send(somebody)(key, {}, '/api/v1/admin/work'), marks }
}
const leaveMark = (db: Database, mark: string) =>
  db.execute(sql`insert into outbox_cursors (sink, xid, id) values (${mark}, '1', 1)`)

describe('a command', () => {
  test('whose connection is cut before the commit leaves nothing, and can be sent again', async () => {
    let isCut = false
    const { send, marks } = await serverDoing(async (db) => {
      await leaveMark(db, 'mark')
      if (!isCut) {
        isCut = true
        await db.execute(sql`select pg_terminate_backend(pg_backend_pid())`)
      }
      return { status: 200, body: { isDone: true } }
    })

    const cut = await send('once')
    expect(cut.json()).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect(cut.headers['retry-after']).toBe('1')
    expect(await marks()).toBe(0)

    expect((await send('once')).statusCode).toBe(200)
    expect((await send('once')).json()).toEqual({ isDone: true })
    expect(await marks()).toBe(1)
  })

  test.each(['40001', '40P01'])(
    'that PostgreSQL rolled back with %s runs once more',
    async (code) => {
      let attempts = 0
      const { send, marks } = await serverDoing(async (db) => {
        await leaveMark(db, `mark ${++attempts}`)
        if (attempts === 1) await failWith(db, code)
        return { status: 200, body: {} }
      })

      expect((await send('once')).statusCode).toBe(200)
      expect([attempts, await marks()]).toEqual([2, 1])
    },
  )

  test('that is rolled back twice asks the caller to wait, and tells nothing of the query', async () => {
    const { send, marks } = await serverDoing(async (db) => {
      await leaveMark(db, 'mark')
      return failWith(db, '40P01')
    })

    const answer = await send('once')
    expect(answer.json()).toMatchObject({ status: 503, detail: 'Try again in a moment.' })
    expect(answer.headers['retry-after']).toBe('1')
    expect(await marks()).toBe(0)
  })

  test('that fails for a reason of its own does not run again, and tells nothing of it', async () => {
    let attempts = 0
    const { send } = await serverDoing(async (db) => {
      attempts++
      return failWith(db, 'XX000')
    })

    const answer = await send('once')
    expect(answer.json()).toEqual({
      type: '/problems/INTERNAL_ERROR',
      code: 'INTERNAL_ERROR',
      title: expect.any(String),
      status: 500,
      instance: expect.any(String),
    })
    expect(attempts).toBe(1)
  })
})

async function failWith(db: Database, code: string): Promise<never> {
  await db.execute(
    sql.raw(`do $$ begin raise exception 'as the test asks' using errcode = '${code}'; end $$`),
  )
  throw new Error('unreachable')
}
