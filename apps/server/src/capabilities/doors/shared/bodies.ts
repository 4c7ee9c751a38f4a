import type { FastifyRequest } from 'fastify'
import { gunzip } from 'node:zlib'
import type { Http } from '../../../platform/http/server.ts'
import { Problem } from '../../../platform/problem.ts'
import { doorProblems } from '../problems.ts'

/** The limit applies after decompression: a few kilobytes of gzip can be gigabytes. */
const INFLATED_BYTES_MAX = 1_048_576

/**
 * Parses every body in this scope as JSON, whatever its content type. A body may be gzip, marked by
 * `Content-Encoding` or by `?gzip=1` without any header, as Prebid sends it.
 */
export function acceptDoorBodies(http: Http): void {
  const parseJson = http.getDefaultJsonParser('error', 'error')
  http.removeAllContentTypeParsers()
  // Overrides a broken content type, which Fastify would refuse before any parser sees the body.
  http.addHook('onRequest', (request, _reply, done) => {
    request.headers['content-type'] = 'application/json'
    done()
  })
  http.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    readPlainBody(request, body, (error, plain) => {
      if (error) done(error)
      else void parseJson(request, plain.toString('utf8'), done)
    })
  })
}

type Done = (error: Error | null, body: Buffer) => void

function readPlainBody(request: FastifyRequest, body: Buffer, done: Done): void {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (!/^(?:identity|(?:x-)?gzip)$/i.test(encoding)) {
    return done(new Problem(doorProblems.encodingUnknown, encoding.slice(0, 50)), body)
  }
  const isDeclared = !/^identity$/i.test(encoding)
  if (!isDeclared && !(asksForGzip(request.query) && isGzip(body))) return done(null, body)
  gunzip(body, { maxOutputLength: INFLATED_BYTES_MAX }, (error, plain) =>
    done(error && inflatingProblem(error), plain),
  )
}

const inflatingProblem = (error: Error): Problem =>
  error instanceof RangeError
    ? new Problem(doorProblems.bodyTooLarge, 'Decompression stopped at the limit.')
    : new Problem(doorProblems.bodyNotGzip, 'It cannot be decompressed.')

const asksForGzip = (query: unknown) =>
  typeof query === 'object' && query !== null && 'gzip' in query && query.gzip === '1'

const isGzip = (body: Buffer) => body[0] === 0x1f && body[1] === 0x8b
