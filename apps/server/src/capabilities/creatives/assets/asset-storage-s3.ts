import { AwsClient } from 'aws4fetch'
import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import { assertKey, type AssetStorage } from './asset-storage.ts'

export interface S3Options {
  /** `https://s3.eu-central-1.amazonaws.com`, or the address of MinIO, Ceph, R2, … */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Prefix of each key, such as `placard/`. May be empty. */
  readonly prefix: string
  readonly timeoutSeconds: number
}

const RETRIES = 3

interface Put {
  readonly body: Buffer<ArrayBuffer> | Blob
  readonly sha256: string
  readonly contentType: string
}

/** Objects in a bucket of any S3-compatible service, with the bucket in the path. */
export function s3Storage(options: S3Options): AssetStorage {
  const client = new AwsClient({ ...options, service: 's3', retries: RETRIES })
  const send = async (key: string, init: RequestInit) => {
    const response = await withTimeout(options, (signal) =>
      client.fetch(addressOf(options, key), { ...init, signal }),
    )
    if (response.ok || response.status === 404) return response
    throw new Error(`the asset storage answered ${response.status} to ${init.method} ${key}`)
  }

  const put = async (key: string, { body, sha256, contentType }: Put) => {
    const headers = { 'content-type': contentType, 'x-amz-content-sha256': sha256 }
    const response = await send(key, { method: 'PUT', body, headers })
    if (!response.ok) throw new Error(`no bucket ${options.bucket}`)
  }

  return {
    async save(key, { bytes, contentType }) {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      await put(key, { body: Buffer.from(bytes), sha256, contentType })
    },

    async saveFile(key, { file, contentType }) {
      const sha256 = createHash('sha256')
      for await (const part of createReadStream(file)) sha256.update(part as Buffer)
      await put(key, { body: await openAsBlob(file), sha256: sha256.digest('hex'), contentType })
    },

    async read(key, range) {
      const headers = range && { range: `bytes=${range.start}-${range.end}` }
      const response = await send(key, { method: 'GET', ...(headers && { headers }) })
      if (response.ok && response.body) return Readable.from(response.body)
      await response.body?.cancel()
      return undefined
    },

    async remove(key) {
      const response = await send(key, { method: 'DELETE' })
      await response.body?.cancel()
    },
  }
}

function addressOf({ endpoint, bucket, prefix }: S3Options, key: string): string {
  assertKey(key)
  return `${endpoint.replace(/\/$/, '')}/${bucket}/${prefix}${key}`
}

/** Limits the wait for an answer. Reading a long film may then take as long as its reader needs. */
async function withTimeout(
  { timeoutSeconds }: S3Options,
  send: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeoutSeconds * 1_000)
  try {
    return await send(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}
