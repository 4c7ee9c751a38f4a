import files from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'
import { httpProblems } from './problems.ts'

/** Pages run our own scripts only. Banner images may come from anywhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "connect-src 'self'",
  'img-src * data: blob:',
  'media-src * blob:',
  "frame-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Prefixes for programs: an unknown address below them gets a problem, not the page. */
const NOT_A_PAGE = /^\/(?:api|internal|t|docs|health|metrics|queue-board|openapi\.json)(?:[/?]|$)/

const OPEN = { config: { access: 'public' as const }, schema: { hide: true } }
const METHODS = ['GET', 'HEAD'] as const

/**
 * A single-page app at `/`. Its assets have a hash in the name and never change. Any other address gets
 * the one page, which routes by the address.
 */
export async function serveWebApp(http: FastifyInstance, folder: string): Promise<void> {
  await http.register(files, {
    root: folder,
    serve: false,
    preCompressed: true,
    suppressWarning: true,
  })
  http.route({
    ...OPEN,
    method: [...METHODS],
    url: '/assets/*',
    handler: (request, reply) =>
      reply.sendFile(request.url.slice(1).replace(/\?.*$/, ''), {
        maxAge: '365d',
        immutable: true,
      }),
  })
  http.route({
    ...OPEN,
    method: [...METHODS],
    url: '/*',
    handler: (request, reply) => sendPage(request, reply),
  })
}

function sendPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isForPeople = request.headers.accept?.includes('text/html') ?? false
  if (NOT_A_PAGE.test(request.url) || !(isForPeople || request.url === '/')) {
    throw new Problem(httpProblems.routeNotFound, `${request.method} ${request.url.slice(0, 200)}`)
  }
  return reply
    .header('content-security-policy', POLICY)
    .header('cache-control', 'no-cache')
    .sendFile('index.html', { cacheControl: false })
}
