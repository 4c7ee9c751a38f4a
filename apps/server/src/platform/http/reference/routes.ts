import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../problem.ts'
import { REFERENCE_PREFIX } from '../access.ts'
import { httpProblems } from '../problems.ts'
import { type ApiDocument, referencePages } from './pages.ts'

/** Allows our own style sheet and script only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const OPEN = { schema: { hide: true }, config: { access: 'public' as const } }
const FILES = { 'style.css': 'text/css', 'page.js': 'text/javascript' } as const

/** The API reference for people, generated from the OpenAPI document. */
export async function serveReference(http: FastifyInstance): Promise<void> {
  http.get('/swagger', OPEN, (_, reply) => reply.redirect(REFERENCE_PREFIX, 308))
  http.get(`${REFERENCE_PREFIX}/json`, OPEN, () => http.swagger())
  for (const [name, type] of Object.entries(FILES)) {
    const text = await readFile(path.join(import.meta.dirname, name), 'utf8')
    http.get(`${REFERENCE_PREFIX}/${name}`, OPEN, (_, reply) =>
      reply.type(`${type}; charset=utf-8`).header('cache-control', 'no-cache').send(text),
    )
  }

  let made: ReadonlyMap<string, string> | undefined
  const pages = () => (made ??= referencePages(http.swagger() as unknown as ApiDocument))
  // Rendered ahead, so that nobody waits for the first page.
  http.addHook('onListen', async () => void pages())
  const pageOf = (slug: string): string => {
    const page = pages().get(slug)
    if (page === undefined) {
      throw new Problem(httpProblems.routeNotFound, `GET ${REFERENCE_PREFIX}/${slug.slice(0, 100)}`)
    }
    return page
  }
  for (const url of [REFERENCE_PREFIX, `${REFERENCE_PREFIX}/`, `${REFERENCE_PREFIX}/:tag`]) {
    http.get<{ Params: { tag?: string } }>(url, OPEN, (request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache' })
        .send(pageOf(request.params.tag ?? '')),
    )
  }
}
