import { sql } from 'drizzle-orm'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../../platform/database/connect.ts'
import { createRow, removeRow } from '../../../platform/resources/index.ts'
import { freshDatabase } from '../../../testing/services/database.ts'
import { allowed, serverWith } from '../../../testing/http.ts'
import { actorOf, addAccount, depsOn } from '../../../testing/world.ts'
import { advertisers } from '../../campaigns/tables.ts'
import { diskStorage } from './asset-storage-disk.ts'
import type { AssetStorage } from './asset-storage.ts'
import { addAsset, Upload } from './operations-assets.ts'
import { banner } from '../resources.ts'
import { assetFileRoutes, assetRoutes } from './routes-assets.ts'
import { until } from '../../../testing/until.ts'

const ADMIN = '/api/v1/admin'
const BYTES_MAX = 10_000
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="250"><script>alert(1)</script></svg>'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAEUlEQVR4nGNgYGD4D8VgAAUABf4B/0mGqhMAAAAASUVORK5CYII=',
  'base64',
)

async function aServer() {
  const deps = depsOn(await freshDatabase())
  const folder = await mkdtemp(path.join(tmpdir(), 'placard-assets-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const storage = diskStorage(folder)
  const account = await addAccount(deps, 'advertiser')
  const actor = allowed(actorOf(account), 'banners:read', 'banners:write')
  const { http, actAs } = await serverWith(deps, (http) => {
    assetRoutes(http, { ...deps, storage, assetBytesMax: BYTES_MAX })
    assetFileRoutes(http, { ...deps, storage })
  })
  actAs(actor)
  const upload = (payload: Buffer | string, { type = 'application/json', query = '' } = {}) =>
    http.inject({
      method: 'POST',
      url: `${ADMIN}/assets${query}`,
      headers: { 'content-type': type },
      payload,
    })
  const fileOf = (id: string, headers = {}) =>
    http.inject({ url: `${ADMIN}/assets/${id}/file`, headers })
  const stored = async () =>
    (await readdir(folder, { recursive: true })).filter((name) => name.length > 30)
  return { deps, http, actAs, actor, account, upload, fileOf, stored }
}

test('the type of an upload is read from its bytes, whatever the request says', async () => {
  const { upload, account } = await aServer()

  const response = await upload(PNG, { query: '?fileName=lie.svg' })

  expect(response.statusCode).toBe(201)
  expect(response.json()).toMatchObject({
    accountId: account.publicId,
    contentType: 'image/png',
    fileName: 'lie.svg',
    filePath: `/api/v1/assets/${response.json().id}/file`,
    byteCount: PNG.length,
    width: 2,
    height: 3,
  })
})

test('the same bytes twice are the same asset, even at the same time', async () => {
  const { upload, stored, deps } = await aServer()

  const together = await Promise.all([upload(PNG), upload(PNG), upload(PNG)])
  const later = await upload(PNG)

  const answers = [...together, later].map((response) => response.json().id)
  expect(new Set(answers).size).toBe(1)
  expect(together.map(({ statusCode }) => String(statusCode)).toSorted()).toEqual([
    '200',
    '200',
    '201',
  ])
  expect(later.statusCode).toBe(200)
  expect(await stored()).toHaveLength(1)
  expect(deps.audited.map(({ action }) => action)).toEqual(['asset.create'])
})

test('a picture of 60,000 × 60,000 pixels is refused before anything decodes it, and not stored', async () => {
  const { upload, stored } = await aServer()
  const png = Buffer.from(PNG)
  png.writeUInt32BE(60_000, 16)
  png.writeUInt32BE(60_000, 20)

  const refused = await upload(png)

  expect(refused.json()).toMatchObject({ status: 400, code: 'ASSET_TOO_MANY_PIXELS' })
  expect(await stored()).toEqual([])
})

test('files that banners cannot show, too large files and empty ones are refused, and nothing is stored', async () => {
  const { upload, stored } = await aServer()

  const page = await upload('<html><svg></svg></html>', { type: 'image/svg+xml' })
  const large = await upload(Buffer.alloc(BYTES_MAX + 1, 'x'))
  const empty = await upload('')

  expect([page.statusCode, large.statusCode, empty.statusCode]).toEqual([415, 413, 400])
  expect(page.json().code).toBe('ASSET_TYPE_NOT_ALLOWED')
  expect(await stored()).toEqual([])
})

test('a platform caller names the account, other callers have their own and no other', async () => {
  const { upload, deps, actAs, account, stored } = await aServer()
  const query = `?accountId=${account.publicId}`
  const platform = actorOf(await addAccount(deps, 'platform'))
  const stranger = actorOf(await addAccount(deps, 'advertiser'))

  actAs(allowed(platform, 'banners:write'))
  const made = await upload(PNG, { query })
  actAs(allowed(stranger, 'banners:write'))
  const known = await upload(PNG, { query })
  const unknown = await upload(SVG, { query })

  expect(made.json().accountId).toBe(account.publicId)
  expect([known, unknown].map((response) => response.json().code)).toEqual([
    'ACCOUNT_NOT_FOUND',
    'ACCOUNT_NOT_FOUND',
  ])
  expect(await stored()).toHaveLength(1)
})

test('an upload waits for its duplicate in progress and then is the same asset', async () => {
  const { deps, actor } = await aServer()
  const upload = new Upload(PNG)
  const add = (db: Database) =>
    addAsset(
      { ...deps, db, storage: {} as AssetStorage },
      { publicId: deps.ids.next(), contentType: 'image/png', upload },
      { upload, query: {}, actor },
    )

  const { first, second } = await deps.db.transaction(async (db) => {
    const first = await add(db)
    const second = deps.db.transaction(add)
    await untilSomebodyWaits(deps.db)
    return { first, second }
  })
  const duplicate = await second

  expect([first.isNew, duplicate.isNew]).toEqual([true, false])
  expect(duplicate.record.publicId).toBe(first.record.publicId)
})

async function untilSomebodyWaits(db: Database): Promise<void> {
  await until('an upload waits for a lock', async () => {
    const { rows } = await db.execute(sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    return rows.length > 0
  })
}

test('everyone can read the file, for ever, and an SVG can run no script', async () => {
  const { upload, fileOf, actAs } = await aServer()
  const { id } = (await upload(SVG)).json()
  actAs(undefined)

  const file = await fileOf(id, { origin: 'https://news.example' })
  const again = await fileOf(id, { 'if-none-match': file.headers.etag })

  expect(file.statusCode).toBe(200)
  expect(file.body).toBe(SVG)
  expect(file.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-length': String(SVG.length),
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': 'https://news.example',
  })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('a player gets the byte range of a film that it requests', async () => {
  const { upload, fileOf } = await aServer()
  const { id } = (await upload(SVG)).json()

  const part = await fileOf(id, { range: 'bytes=1-3' })
  const beyond = await fileOf(id, { range: 'bytes=99999-' })
  const strange = await fileOf(id, { range: 'pages=1-2' })

  expect([part.statusCode, part.body]).toEqual([206, 'svg'])
  expect(part.headers['content-range']).toBe(`bytes 1-3/${SVG.length}`)
  expect(beyond.json().code).toBe('ASSET_RANGE_NOT_SATISFIABLE')
  expect([strange.statusCode, strange.body]).toEqual([200, SVG])
})

test('an asset that a banner shows stays, a deleted one is gone with its bytes', async () => {
  const { deps, http, actor, upload, fileOf, stored, account } = await aServer()
  const now = deps.clock.now()
  const advertiserId = deps.ids.next()
  await deps.db.insert(advertisers).values({
    publicId: advertiserId,
    accountId: account.id,
    name: 'Northwind',
    currency: 'EUR',
    createdAt: now,
    updatedAt: now,
  })
  const { id, filePath } = (await upload(PNG)).json()
  const body = { advertiserId, title: 'Sale', primaryImageUrl: filePath }
  const shown = await createRow(deps, banner, { body, actor })
  const remove = () => http.inject({ method: 'DELETE', url: `${ADMIN}/assets/${id}` })

  const refused = await remove()
  await removeRow(deps, banner, { publicId: String(shown.publicId), actor })
  const gone = await remove()
  const file = await fileOf(id)
  const again = await upload(PNG)

  expect(refused.json().code).toBe('ASSET_IN_USE')
  expect([gone.statusCode, file.statusCode]).toEqual([204, 404])
  expect(again.statusCode).toBe(201)
  expect(await stored()).toHaveLength(1)
})

test('an upload repeated with its key gets the answer of the first', async () => {
  const { http } = await aServer()
  const send = (payload: Buffer | string) =>
    http.inject({
      method: 'POST',
      url: `${ADMIN}/assets`,
      headers: { 'content-type': 'image/png', 'idempotency-key': 'once' },
      payload,
    })

  const first = await send(PNG)
  const second = await send(PNG)
  const other = await send(SVG)

  expect([second.statusCode, second.json().id]).toEqual([201, first.json().id])
  expect(other.json().code).toBe('IDEMPOTENCY_KEY_REUSED')
})

test('a film is stored with its length, size and bitrate, and the banner that shows it has them', async () => {
  const { upload, deps, actor, account } = await aServer()
  const film = await readFile(
    path.resolve(import.meta.dirname, '../../../testing/films/six-seconds.mp4'),
  )

  const uploaded = (await upload(film)).json()
  const now = deps.clock.now()
  const advertiserId = deps.ids.next()
  await deps.db.insert(advertisers).values({
    publicId: advertiserId,
    accountId: account.id,
    name: 'Northwind',
    currency: 'EUR',
    createdAt: now,
    updatedAt: now,
  })
  const body = {
    advertiserId,
    title: 'Film',
    format: 'video',
    primaryImageUrl: 'https://cdn.example/poster.png',
    videoUrl: uploaded.filePath,
    videoDurationMs: 99_000,
  }
  const made = await createRow(deps, banner, { actor, body })

  const facts = { durationMs: 6_000, width: 64, height: 36, bitrateKbps: 3 }
  expect(uploaded).toMatchObject({ contentType: 'video/mp4', ...facts })
  expect(made['videoFiles']).toEqual([
    { url: uploaded.filePath, contentType: 'video/mp4', byteCount: film.length, ...facts },
  ])
})
