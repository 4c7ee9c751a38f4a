import { createHash, createHmac } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { diskStorage } from './asset-storage-disk.ts'
import { s3Storage, type S3Options } from './asset-storage-s3.ts'
import type { AssetStorage } from './asset-storage.ts'

const KEY = '01890000-0000-7000-8000-0000000000aa'
const OTHER = '01890000-0000-7000-8000-0000000000ab'
const FILE = { bytes: Buffer.from('0123456789'), contentType: 'image/png' }

/** What every storage must do. */
describe.each([
  ['disk', async () => diskStorage(await freshFolder())],
  ['s3', async () => s3Storage((await bucket()).options)],
])('%s storage', (_name, open: () => Promise<AssetStorage>) => {
  test('a saved file is read, whole and in part', async () => {
    const storage = await open()
    await storage.save(KEY, FILE)
    await storage.save(OTHER, { ...FILE, bytes: Buffer.from('other') })

    expect(await textOf(storage.read(KEY))).toBe('0123456789')
    expect(await textOf(storage.read(KEY, { start: 2, end: 4 }))).toBe('234')
    expect(await textOf(storage.read(KEY, { start: 9, end: 9 }))).toBe('9')
    expect(await textOf(storage.read(OTHER))).toBe('other')
  })

  test('a missing or removed file is undefined', async () => {
    const storage = await open()
    expect(await storage.read(KEY)).toBeUndefined()

    await storage.save(KEY, FILE)
    await storage.remove(KEY)

    expect(await storage.read(KEY)).toBeUndefined()
    await expect(storage.remove(KEY)).resolves.toBeUndefined()
  })

  test('saving the same file twice is allowed', async () => {
    const storage = await open()

    await Promise.all([storage.save(KEY, FILE), storage.save(OTHER, FILE)])
    await storage.save(KEY, FILE)

    expect(await textOf(storage.read(KEY))).toBe('0123456789')
  })

  test('a key that could leave its folder is a bug', async () => {
    const storage = await open()

    await expect(storage.save('../../etc/passwd', FILE)).rejects.toThrow('not a storage key')
    await expect(storage.read('..')).rejects.toThrow('not a storage key')
  })
})

test('no half-written file is left on disk beside the whole one', async () => {
  const folder = await freshFolder()

  await diskStorage(folder).save(KEY, FILE)

  expect(await readdir(path.join(folder, 'aa'))).toEqual([KEY])
})

test('a wrong secret, a missing bucket and a dead storage fail with a reason', async () => {
  const { options, server } = await bucket()

  const wrong = s3Storage({ ...options, secretAccessKey: 'wrong' })
  await expect(wrong.save(KEY, FILE)).rejects.toThrow('answered 403')
  const missing = s3Storage({ ...options, bucket: 'missing' })
  await expect(missing.save(KEY, FILE)).rejects.toThrow('no bucket missing')
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  await expect(s3Storage(options).read(KEY)).rejects.toThrow('fetch failed')
})

test('a storage that does not answer runs into the timeout', async () => {
  const { options, hang } = await bucket()
  hang()

  await expect(s3Storage({ ...options, timeoutSeconds: 0.05 }).read(KEY)).rejects.toThrow('abort')
})

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'placard-assets-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

const textOf = async (file: ReturnType<AssetStorage['read']>) => {
  const stream = await file
  return stream && (await buffer(stream)).toString()
}

const ACCESS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a secret', region: 'eu-central-1' }

/** A bucket in memory that refuses requests not signed with the secret. */
async function bucket() {
  const objects = new Map<string, Buffer>()
  let isHanging = false
  const server: Server = createServer((request, response) => {
    if (isHanging) return
    void buffer(request).then((body) => {
      const { status, content } = answer(objects, request, body)
      return response.writeHead(status).end(content)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const options: S3Options = {
    ...ACCESS,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: 'assets',
    prefix: 'placard/',
    timeoutSeconds: 5,
  }
  return { options, server, hang: () => (isHanging = true) }
}

function answer(objects: Map<string, Buffer>, request: IncomingMessage, body: Buffer) {
  const { method, url = '' } = request
  if (!isSigned(request, body)) return { status: 403 }
  if (!url.startsWith('/assets/placard/')) return { status: 404 }
  if (method === 'PUT') objects.set(url, body)
  if (method === 'DELETE') objects.delete(url)
  if (method !== 'GET') return { status: 200 }

  const object = objects.get(url)
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  if (!object) return { status: 404, content: '<Error/>' }
  if (start === undefined) return { status: 200, content: object }
  return { status: 206, content: object.subarray(Number(start), Number(end) + 1) }
}

/**
 * Signature Version 4 from its public description, so that the adapter is not checked by its own
 * code.
 */
function isSigned({ method, url, headers }: IncomingMessage, body: Buffer): boolean {
  const { authorization = '' } = headers
  const [, scope, names, signature] =
    /Credential=AKIDEXAMPLE\/(\S+), SignedHeaders=(\S+), Signature=(\S+)/.exec(authorization) ?? []
  if (!scope || !names || !signature) return false

  const claimed = String(headers['x-amz-content-sha256'])
  const actual = createHash('sha256').update(body).digest('hex')
  if (claimed !== actual && claimed !== 'UNSIGNED-PAYLOAD') return false
  const signedHeaders = names.split(';').map((name) => `${name}:${String(headers[name])}\n`)
  const canonical = [method, url, '', signedHeaders.join(''), names, claimed].join('\n')
  const digest = createHash('sha256').update(canonical).digest('hex')
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, digest].join('\n')

  const key = scope.split('/').reduce<Buffer>(hmac, Buffer.from(`AWS4${ACCESS.secretAccessKey}`))
  return hmac(key, toSign).toString('hex') === signature
}

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
