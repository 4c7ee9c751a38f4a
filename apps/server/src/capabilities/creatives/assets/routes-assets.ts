import * as contract from '@placard/contract/creatives'
import type { FastifyReply, FastifyRequest } from 'fastify'
import parseRange from 'range-parser'
import { Type } from 'typebox'
import { runCommand } from '../../../platform/http/command.ts'
import type { Http } from '../../../platform/http/server.ts'
import { Problem } from '../../../platform/problem.ts'
import {
  actorOf,
  etagOf,
  present,
  removeRow,
  resourceRoutes,
  targetOf,
} from '../../../platform/resources/index.ts'
import type { ByteRange } from './asset-storage.ts'
import {
  addAsset,
  storeUpload,
  Upload,
  type AssetDeps,
  type AssetRequest,
} from './operations-assets.ts'
import { assetProblems } from '../problems.ts'
import { asset } from '../resources.ts'
import { findAssetFile } from '../store.ts'

export interface AssetRouteDeps extends AssetDeps {
  readonly assetBytesMax: number
}

const tags = [asset.tag]
const FILE_CONTENT = Object.fromEntries(
  contract.ASSET_TYPES.map((type) => [type, { schema: contract.AssetFile }]),
)

export function assetRoutes(http: Http, deps: AssetRouteDeps): void {
  resourceRoutes(http, deps, { resource: asset, actions: ['list', 'get'] })
  deleteRoute(http, deps)
  // Only in this scope, a body is bytes whatever its content type.
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: deps.assetBytesMax },
      (_request, body, done) => done(null, new Upload(body as Buffer)),
    )
    uploadRoute(scope, deps)
  })
}

function uploadRoute(http: Http, deps: AssetRouteDeps): void {
  http.post(
    '/assets',
    {
      config: { access: 'banners:write' },
      bodyLimit: deps.assetBytesMax,
      schema: {
        operationId: 'uploadAsset',
        summary: 'Upload a picture or a film',
        description: 'The body is the file. Uploading the same bytes again returns the same asset.',
        tags,
        querystring: contract.AssetUploadQuery,
        body: {
          content: { ...FILE_CONTENT, 'image/svg+xml': { schema: contract.SvgFile } },
        } as never,
        response: { 200: contract.Asset, 201: contract.Asset },
      },
    },
    (request, reply) => receive(deps, request, reply),
  )
}

/** Stores the bytes first, then the row. Removes the bytes if they surely have no row. */
async function receive(deps: AssetRouteDeps, request: FastifyRequest, reply: FastifyReply) {
  const { body, query } = request as { body: unknown; query: AssetRequest['query'] }
  const upload = body instanceof Upload ? body : undefined
  const incoming: AssetRequest = { upload, query, actor: actorOf(request) }
  const stored = await storeUpload(deps, incoming)

  let isKept = false
  try {
    await runCommand(deps, { request, reply }, async (db) => {
      const { isNew, record } = await addAsset({ ...deps, db }, stored, incoming)
      isKept = isNew
      return {
        status: isNew ? 201 : 200,
        headers: etagOf(record),
        body: present(asset, record),
      }
    })
  } finally {
    if (!isKept) await deps.storage.remove(stored.publicId)
  }
}

function deleteRoute(http: Http, deps: AssetRouteDeps): void {
  http.delete(
    '/assets/:assetId',
    {
      config: { access: 'banners:write' },
      schema: {
        operationId: 'deleteAsset',
        summary: 'Delete an asset',
        description: 'Deletes its bytes too. Only a new upload brings it back.',
        tags,
        params: contract.AssetParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await runCommand(deps, { request, reply }, async (db) => {
        await removeRow({ ...deps, db }, asset, targetOf(request, asset))
        return { status: 204 }
      })
      await deps.storage
        .remove(request.params.assetId)
        .catch((error: unknown) =>
          request.log.error(
            { err: error, reqId: request.id },
            'bytes of an asset without a row could not be removed',
          ),
        )
    },
  )
}

const FILE_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  // Publishers' pages show the file. An SVG opened by itself can run no script.
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'x-content-type-options': 'nosniff',
  'accept-ranges': 'bytes',
}

const FILE_ANSWER = { description: 'The file', content: FILE_CONTENT } as never

/** Public routes: outside the admin prefix, without a caller. */
export function assetFileRoutes(http: Http, deps: Pick<AssetDeps, 'db' | 'storage'>): void {
  http.get(
    '/assets/:assetId/file',
    {
      config: { access: 'public', crossOrigin: true, ignoresUnknownFields: true },
      schema: {
        operationId: 'readAssetFile',
        summary: 'The bytes of an asset',
        tags,
        params: contract.AssetParams,
        response: { 200: FILE_ANSWER, 206: FILE_ANSWER, 304: Type.Null() },
      },
    },
    async (request, reply) => {
      const { assetId } = request.params
      const file = await findAssetFile(deps.db, assetId)
      if (!file) throw new Problem(assetProblems.notFound, `asset ${assetId}`)
      const etag = `"${file.sha256.toString('base64url')}"`
      reply.headers({ ...FILE_HEADERS, etag })
      if (request.headers['if-none-match'] === etag) return (reply as FastifyReply).code(304).send()

      const range = rangeOf(request, file)
      const stream = await deps.storage.read(assetId, range)
      if (!stream) throw new Problem(assetProblems.notFound, `the bytes of asset ${assetId}`)
      return sendPart(reply, file, range).send(stream)
    },
  )
}

interface FileFacts {
  readonly contentType: string
  readonly byteCount: number
}

/** One range, as film players request. Several ranges are answered with the whole file. */
function rangeOf({ headers }: FastifyRequest, { byteCount }: FileFacts): ByteRange | undefined {
  if (headers.range === undefined) return undefined
  const ranges = parseRange(byteCount, headers.range)
  if (ranges === -1) {
    throw new Problem(assetProblems.rangeNotSatisfiable, `The file has ${byteCount} bytes.`)
  }
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined
  return ranges[0]
}

function sendPart(reply: FastifyReply, file: FileFacts, range: ByteRange | undefined) {
  reply.type(file.contentType)
  if (!range) return reply.header('content-length', file.byteCount)
  return reply.code(206).headers({
    'content-length': range.end - range.start + 1,
    'content-range': `bytes ${range.start}-${range.end}/${file.byteCount}`,
  })
}
