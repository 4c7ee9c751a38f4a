import type { Http } from './server.ts'

/** Routes of this scope take any body or none, and never read it. */
export function ignoreBodies(http: Http): void {
  http.removeAllContentTypeParsers()
  // Overrides an empty or broken content type, which Fastify would refuse.
  http.addHook('onRequest', (request, _reply, done) => {
    request.headers['content-type'] = 'application/octet-stream'
    done()
  })
  http.addContentTypeParser('*', (_request, body, done) => {
    body.resume()
    done(null)
  })
}
