import path from 'node:path'
import { diskStorage, s3Storage, type AssetStorage } from '../capabilities/creatives/index.ts'
import type { Config } from '../settings/config.ts'

const TIMEOUT_SECONDS = 30

/** Uploaded files are kept in a folder, or in a bucket that several nodes share. */
export function openStorage(config: Config): AssetStorage {
  const { ASSET_S3_URL, ASSET_S3_ACCESS_KEY_ID, ASSET_S3_SECRET_ACCESS_KEY } = config
  if (!ASSET_S3_URL) return diskStorage(path.resolve(config.PLACARD_HOME, 'assets'))
  const { origin, pathname } = new URL(ASSET_S3_URL)
  const [bucket = '', ...prefix] = pathname.split('/').filter(Boolean)
  return s3Storage({
    endpoint: origin,
    bucket,
    prefix: prefix.map((part) => `${part}/`).join(''),
    timeoutSeconds: TIMEOUT_SECONDS,
    region: config.ASSET_S3_REGION,
    accessKeyId: ASSET_S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: ASSET_S3_SECRET_ACCESS_KEY ?? '',
  })
}
