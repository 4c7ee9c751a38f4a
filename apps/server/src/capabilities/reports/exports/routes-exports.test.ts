import { type AddressInfo, connect as dial, type Socket } from 'node:net'
import type { PoolClient } from 'pg'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../../platform/database/connect.ts'
import { freshDatabase } from '../../../testing/services/database.ts'
import { addUser, scratchFolder, signInAs, startServerOn } from '../../../testing/server.ts'
import { allowed, serverWith } from '../../../testing/http.ts'
import { actorOf } from '../../../testing/world.ts'
import { diskStorage } from '../../creatives/index.ts'
import { expireExports, writeExport } from './operations-exports.ts'
import { exportRoutes } from './routes-exports.ts'

const QUESTION = {
  dimensions: ['day', 'country', 'device'],
  metrics: ['impressions', 'spendMicros'],
  from: '2026-06-01',
  to: '2026-06-30',
}

/** A server with a day of this many rows of this many characters. */
async function aServerWith(rowCount: number, width = 20) {
  const connection = await freshDatabase()
  await connection.pool.query(
    `insert into stats_cube (grain, bucket, campaign_id, ad_id, banner_id, placement_id, site_id, country,
       device, label, budget_day, ad_set_id, advertiser_id, currency, impressions)
     select 'day', '2026-06-10Z', 1, 1, 1, 1, 1, 'DE', repeat('d', $2::int) || i, 'valid', '2026-06-10', 1, 1, 'EUR', i
       from generate_series(1, $1::int) i`,
    [rowCount, width],
  )
  const exporting = connect({ url: connection.url, connectionsMax: 4, statementTimeoutMs: 20_000 })
  onTestFinished(() => exporting.close())
  const server = await startServerOn(connection, {
    storage: diskStorage(await scratchFolder()),
    settings: { SIGN_IN_PERMITS_PER_MINUTE: '1000' },
    exportDb: exporting.db,
  })
  const { email, account } = await addUser(server.deps, 'operator')
  const { headers } = await signInAs(server, email)
  const call = (method: 'GET' | 'POST', url: string, payload?: object) =>
    server.http.inject({
      method,
      url: `/api/v1${url}`,
      headers,
      ...(payload && { payload }),
    })
  return { ...server, connection, headers, account, call }
}

type Running = Awaited<ReturnType<typeof aServerWith>>

const write = ({ deps, storage }: Running, publicId: string) =>
  writeExport(
    { ...deps, storage, publicUrl: 'https://placard.example' },
    publicId,
    new AbortController().signal,
  )

test('a short export is answered at once, with every row', async () => {
  const { call } = await aServerWith(1_200)

  const answer = await call('POST', '/reports/export', QUESTION)

  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-disposition']).toContain('report-2026-06-01-2026-06-30.csv')
  expect(answer.body.trimEnd().split('\r\n')).toHaveLength(1_201)
})

test('a file for people has words, names, amounts in units, and the period before in columns of its own', async () => {
  const { call, connection } = await aServerWith(0)
  await connection.pool.query(
    `insert into stats_cube (grain, bucket, campaign_id, ad_id, banner_id, placement_id, site_id, country,
       device, label, budget_day, ad_set_id, advertiser_id, currency, impressions, charged_millis)
     values ('day', '2026-06-10Z', 1, 1, 1, 1, 1, 'DE', 'mobile', 'valid', '2026-06-10', 1, 1, 'EUR', 15, 12345678000),
            ('day', '2026-05-10Z', 1, 1, 1, 1, 1, 'DE', 'mobile', 'valid', '2026-05-10', 1, 1, 'EUR', 10, 10000000000)`,
  )
  const { to: _, ...question } = { ...QUESTION, dimensions: ['country', 'device'] }
  const ask = (more: object) => call('POST', '/reports/export', { ...question, ...more })

  const words = await ask({
    to: '2026-06-30',
    headings: 'words',
    compare: 'previous-period',
    name: 'Wöchentlich: Müller & Co.',
  })
  const fields = await ask({ to: '2026-06-30', compare: 'previous-period' })

  expect(words.headers['content-disposition']).toContain(
    '"wochentlich-muller-co-2026-06-01-2026-06-30.csv"',
  )
  expect(words.body).toBe(
    'Country,Device,Currency,Impressions,"Impressions, period before","Impressions, change in %",' +
      'Spend,"Spend, period before","Spend, change in %"\r\n' +
      'Germany,Phone,EUR,15,10,50,12.345678,10,23.5\r\n',
  )
  expect(fields.body).toBe(
    'country,device,currency,impressions,spendMicros,previous_impressions,previous_spendMicros\r\n' +
      'DE,mobile,EUR,15,12345678,10,10000000\r\n',
  )
})

test('a long export is a job: 202, then progress, then the file at its own address', async () => {
  const world = await aServerWith(51_000)
  const ordered = await world.call('POST', '/reports/export', QUESTION)
  const { id } = ordered.json<{ id: string }>()
  const before = await world.call('GET', `/reports/exports/${id}/file`)

  await write(world, id)

  expect(ordered.statusCode).toBe(202)
  expect(ordered.headers['location']).toBe(`/api/v1/reports/exports/${id}`)
  expect(before.json()).toMatchObject({ status: 409, code: 'REPORT_EXPORT_NOT_READY' })
  const status = await world.call('GET', `/reports/exports/${id}`)
  expect(status.json()).toMatchObject({ status: 'ready', rowCount: 51_000, isCut: false })
  const file = await world.call('GET', `/reports/exports/${id}/file`)
  expect(file.statusCode).toBe(200)
  expect(file.body.trimEnd().split('\r\n')).toHaveLength(51_001)
  expect(Buffer.byteLength(file.body)).toBe(status.json().byteCount)
}, 60_000)

test('an export written twice has one file, and a finished export is left alone', async () => {
  const world = await aServerWith(10)
  const { id } = (await world.call('POST', '/reports/exports', QUESTION)).json<{ id: string }>()
  await write(world, id)
  const first = await text((await world.storage.read(id))!)
  await world.connection.pool.query('delete from stats_cube')

  await write(world, id)

  expect(await text((await world.storage.read(id))!)).toBe(first)
})

test('another account finds neither the export nor its file', async () => {
  const world = await aServerWith(10)
  const { id } = (await world.call('POST', '/reports/exports', QUESTION)).json<{ id: string }>()
  await write(world, id)
  const other = await addUser(world.deps, 'advertiser')
  const { headers } = await signInAs(world, other.email)
  const ask = (url: string) => world.http.inject({ url: `/api/v1${url}`, headers })

  expect((await ask(`/reports/exports/${id}`)).statusCode).toBe(404)
  expect((await ask(`/reports/exports/${id}/file`)).statusCode).toBe(404)
  expect((await ask('/reports/exports')).json()).toMatchObject({ items: [] })
})

test('a file is deleted after seven days, and its address says so', async () => {
  const world = await aServerWith(10)
  const { id } = (await world.call('POST', '/reports/exports', QUESTION)).json<{ id: string }>()
  await write(world, id)
  world.deps.clock.advance(7 * 86_400)
  const { headers } = await signInAs(world, (await addUser(world.deps, 'operator')).email)

  await expireExports({ ...world.deps, storage: world.storage }, new AbortController().signal)

  const answer = await world.http.inject({ url: `/api/v1/reports/exports/${id}/file`, headers })
  expect(answer.json()).toMatchObject({ status: 410, code: 'REPORT_EXPORT_GONE' })
  expect(await world.storage.read(id)).toBeUndefined()
})

test('an account’s sixth export is refused until one is written', async () => {
  const world = await aServerWith(10)
  const order = () => world.call('POST', '/reports/exports', QUESTION)
  const ordered = []
  for (let count = 0; count < 5; count++) ordered.push(await order())

  const refused = await order()
  await write(world, ordered[0]!.json<{ id: string }>().id)
  const later = await order()

  expect(refused.json()).toMatchObject({ status: 429, code: 'REPORT_EXPORTS_WAITING' })
  expect(later.statusCode).toBe(202)
})

test('an export’s recipient gets one notice, with the address of the file', async () => {
  const world = await aServerWith(10)
  const recipient = await world.call('POST', '/admin/recipients', {
    name: 'Reports',
    mailTo: ['reports@shop.example'],
    topics: [],
  })
  const { id: recipientId, confirmations } = recipient.json()
  const linkToken = confirmations[0].link.split('#')[1]
  await world.call('POST', '/recipients/confirm', { linkToken })
  const ordered = await world.call('POST', '/reports/exports', { ...QUESTION, recipientId })
  const { id } = ordered.json<{ id: string }>()

  await write(world, id)
  await write(world, id)

  const { rows } = await world.connection.pool.query(
    `select words, data from notices where told_key = $1`,
    [`export:${id}`],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0].data.url).toBe(`https://placard.example/api/v1/reports/exports/${id}/file`)
})

interface ExportCall {
  readonly port: number
  readonly headers: Record<string, string>
  readonly url?: string
  readonly times?: number
}

/** Orders exports as a browser would, and then reads nothing of them. */
function orderAndSleep({
  port,
  headers,
  url = '/api/v1/reports/export',
  times = 1,
}: ExportCall): Socket {
  const body = JSON.stringify(QUESTION)
  const socket = dial({ port, host: '127.0.0.1' })
  socket.pause()
  socket.on('error', () => {})
  const lines = [
    `POST ${url} HTTP/1.1`,
    'host: placard',
    `authorization: ${headers['authorization']}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`.repeat(times))
  onTestFinished(() => void socket.destroy())
  return socket
}

test('22 exports that nobody reads leave database connections for everybody else', async () => {
  const world = await aServerWith(45_000, 1_000)
  const { http, headers, connection } = world
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as AddressInfo
  const asking = { port, headers: headers as Record<string, string> }

  const sleepers = Array.from({ length: 22 }, () => orderAndSleep(asking))
  await Promise.all(sleepers.map((socket) => once(socket, 'readable')))

  expect(connection.pool.idleCount).toBe(connection.pool.totalCount)
  expect((await world.call('GET', '/admin/campaigns')).statusCode).toBe(200)
}, 60_000)

test('an account reads two exports at once, and others read theirs beside it', async () => {
  const world = await aServerWith(10)
  const stranger = await signInAs(world, (await addUser(world.deps, 'operator')).email)
  const blocking = await world.connection.pool.connect()
  onTestFinished(() => blocking.release(true))
  await blocking.query('begin; lock table stats_cube in access exclusive mode')
  const url = '/api/v1/reports/export'
  // Awaited inside, because a request starts only when it is awaited.
  const order = async (headers: Record<string, string>) =>
    await world.http.inject({ method: 'POST', url, headers, payload: QUESTION })
  const reading = [order(world.headers), order(world.headers)]
  await expect.poll(() => waitingFor(blocking), { timeout: 4_000 }).toBe(2)

  const third = await order(world.headers)
  const theirs = [order(stranger.headers), order(stranger.headers)]
  await expect.poll(() => waitingFor(blocking), { timeout: 4_000 }).toBe(4)
  const later = await signInAs(world, (await addUser(world.deps, 'operator')).email)
  const fifth = await order(later.headers)
  await blocking.query('rollback')

  expect(third.json()).toMatchObject({ status: 429, code: 'REPORT_EXPORTS_AT_ONCE' })
  expect(third.headers['retry-after']).toBe('60')
  expect(fifth.statusCode).toBe(202)
  for (const answer of await Promise.all([...reading, ...theirs])) {
    expect(answer.statusCode).toBe(200)
  }
  expect((await order(world.headers)).statusCode).toBe(200)
})

const waitingFor = async (client: PoolClient) => {
  const { rows } = await client.query(
    `select count(*)::int as waiting from pg_locks where not granted and relation in (select oid from pg_class where relname like 'stats_cube%')`,
  )
  return rows[0].waiting as number
}

test('a reader that stalls is cut off after its time, and its place is free again', async () => {
  const world = await aServerWith(40_000, 200)
  const { http, actAs } = await serverWith(world.deps, (http) =>
    exportRoutes(http, { ...world.deps, storage: world.storage, exportReaderSeconds: 2 }),
  )
  actAs(allowed(actorOf({ id: world.account.id, kind: 'platform' }), 'reports:read'))
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as AddressInfo
  const url = '/api/v1/admin/reports/export'
  const status = async () =>
    (await http.inject({ method: 'POST', url, payload: { ...QUESTION, dimensions: [] } }))
      .statusCode

  // More than the network buffers hold: several answers over one connection.
  for (let count = 0; count < 2; count++) orderAndSleep({ port, headers: {}, url, times: 4 })

  await expect.poll(status, { timeout: 20_000 }).toBe(429)
  await expect.poll(status, { timeout: 20_000 }).toBe(200)
}, 60_000)
