import { createHash } from 'node:crypto'
import { httpProblems } from '../../../platform/http/problems.ts'
import { Problem } from '../../../platform/problem.ts'
import {
  createRow,
  getRow,
  type Actor,
  type ResourceDeps,
} from '../../../platform/resources/index.ts'
import type { AssetStorage } from './asset-storage.ts'
import { extensionOf, isTooLarge, sizeOf, sniffType, type AssetType } from './asset.ts'
import { filmFactsOf } from './film.ts'
import { assetProblems } from '../problems.ts'
import { asset } from '../resources.ts'
import { findDuplicate, lockContent, type AssetContent } from '../store.ts'

export interface AssetDeps extends ResourceDeps {
  readonly storage: AssetStorage
}

/** A received file. As JSON it is its hash, so that a repeated request is recognised cheaply. */
export class Upload {
  readonly bytes: Buffer
  readonly sha256: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.sha256 = createHash('sha256').update(bytes).digest()
  }

  toJSON(): string {
    return this.sha256.toString('hex')
  }
}

export interface AssetRequest {
  readonly upload: Upload | undefined
  readonly query: { readonly accountId?: string; readonly fileName?: string }
  readonly actor: Actor
}

/** A file in the storage that waits for its row. */
export interface StoredUpload {
  readonly publicId: string
  readonly contentType: AssetType
  readonly upload: Upload
}

/** Stores the bytes before any transaction is open: a slow storage must not hold a connection. */
export async function storeUpload(
  { db, ids, storage }: AssetDeps,
  request: AssetRequest,
): Promise<StoredUpload> {
  const { upload } = request
  if (!upload || upload.bytes.length === 0) throw noFile()
  const contentType = await sniffType(upload.bytes)
  if (!contentType) {
    throw new Problem(assetProblems.typeNotAllowed, 'Send a JPEG, PNG, GIF, WebP, SVG or MP4.')
  }

  if (isTooLarge(upload.bytes)) {
    throw new Problem(assetProblems.tooManyPixels, 'Upload a smaller picture.')
  }

  const publicId = ids.next()
  const isKnown = await findDuplicate(db, contentOf(upload, request))
  if (!isKnown) await storage.save(publicId, { bytes: upload.bytes, contentType })
  return { publicId, contentType, upload }
}

/** Creates the row of a stored file, or finds the asset with the same bytes. */
export async function addAsset(deps: AssetDeps, stored: StoredUpload, request: AssetRequest) {
  const { publicId, contentType, upload } = stored
  const { actor, query } = request
  const content = contentOf(upload, request)
  await lockContent(deps.db, content)
  const duplicate = await findDuplicate(deps.db, content)
  if (duplicate) {
    return { isNew: false, record: await getRow(deps.db, asset, { publicId: duplicate, actor }) }
  }

  const { fileName = `file.${extensionOf(contentType)}`, accountId } = query
  const extra = {
    publicId,
    contentType,
    fileName,
    byteCount: upload.bytes.length,
    sha256: upload.sha256,
    ...(contentType === 'video/mp4' ? filmFactsOf(upload.bytes) : sizeOf(upload.bytes)),
  }
  const body = accountId === undefined ? {} : { accountId }
  return { isNew: true, record: await createRow(deps, asset, { body, actor, extra }) }
}

function contentOf(
  { sha256 }: Upload,
  { query, actor }: Pick<AssetRequest, 'query' | 'actor'>,
): AssetContent {
  const { isPlatform, accountId } = actor.principal
  const isNamed = isPlatform && query.accountId !== undefined
  return { sha256, account: isNamed ? { publicId: query.accountId } : { id: accountId } }
}

const noFile = () =>
  new Problem(httpProblems.invalidRequest, 'The request has no file.', [
    { path: 'body', message: 'is empty. Send the bytes of the file' },
  ])
