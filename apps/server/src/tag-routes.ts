import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Http } from './platform/http/server.ts'

const TEXTS = {
  // The same for every page, so that a shared cache can keep one answer for all.
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

/** Refreshed every five minutes in the background, so that no page waits for it. */
const FRESH = 'public, max-age=300, stale-while-revalidate=86400'

/** The frame's content never has an origin, even if it is opened as a page. */
const FRAME_POLICY = [
  "default-src 'none'",
  "script-src * data: blob: 'unsafe-inline' 'unsafe-eval'",
  "style-src * data: 'unsafe-inline'",
  'img-src * data: blob:',
  'media-src * data: blob:',
  'font-src * data:',
  'connect-src *',
  'frame-src *',
  'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox allow-forms',
].join('; ')

/** The tag, and the scripts it loads on demand. */
const SCRIPTS = ['tag', 'tag-consent', 'tag-over', 'tag-shop']

/** Files for publishers' and shops' pages: the scripts, and the frame that shows markup. */
export async function tagRoutes(http: Http): Promise<void> {
  const frame = await pack('@placard/tag/frame.html')
  const hidden = {
    config: { access: 'public', crossOrigin: true } as const,
    schema: { hide: true },
  }
  for (const name of SCRIPTS) {
    const script = await pack(`@placard/tag/${name}.js`)
    http.get(`/${name}.js`, hidden, (request, reply) =>
      send(request, reply.type('text/javascript; charset=utf-8').headers(TEXTS), script),
    )
  }
  http.get('/tag-frame', hidden, (request, reply) =>
    send(
      request,
      reply
        .type('text/html; charset=utf-8')
        .headers({ ...TEXTS, 'content-security-policy': FRAME_POLICY }),
      frame,
    ),
  )
}

interface Packed {
  readonly etag: string
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly brotli: Buffer
}

async function pack(name: string): Promise<Packed> {
  const plain = await readFile(fileURLToPath(import.meta.resolve(name))).catch((cause: unknown) => {
    throw new Error('The tag is not built: run "node scripts/build-pages.mjs".', { cause })
  })
  return {
    plain,
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    gzip: await promisify(gzip)(plain),
    brotli: await promisify(brotliCompress)(plain),
  }
}

function send({ headers }: FastifyRequest, reply: FastifyReply, packed: Packed): FastifyReply {
  void reply.headers({ etag: packed.etag, 'cache-control': FRESH, vary: 'accept-encoding' })
  if (headers['if-none-match'] === packed.etag) return reply.code(304).send()
  const accepted = headers['accept-encoding'] ?? ''
  if (/\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(packed.brotli)
  if (/\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(packed.gzip)
  return reply.send(packed.plain)
}
