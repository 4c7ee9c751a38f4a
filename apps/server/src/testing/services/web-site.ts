import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface WebSite {
  readonly host: string
  readonly origin: string
  /** Every request received, as `GET /path`. */
  readonly requests: string[]
}

export type Answering = (request: IncomingMessage, response: ServerResponse) => void

/** A web site for a test, on this machine. */
export async function aWebSite(answer: Answering): Promise<WebSite> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  onTestFinished(
    () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  )
  const { port } = server.address() as AddressInfo
  return { host: `localhost:${port}`, origin: `http://localhost:${port}`, requests }
}

/** Pages by path. Any other path is 404. */
export const pagesAt =
  (pages: Readonly<Record<string, string>>): Answering =>
  ({ url = '' }, response) => {
    const page = pages[url]
    if (page === undefined) {
      response.writeHead(404).end()
      return
    }
    const type = url.endsWith('.txt')
      ? 'text/plain'
      : url.endsWith('.xml')
        ? 'text/xml'
        : 'text/html'
    response.writeHead(200, { 'content-type': type }).end(page)
  }

export const html = (title: string, text: string, links: readonly string[] = []) =>
  `<html><head><title>${title}</title></head><body><article><h1>${title}</h1><p>${text}</p></article>
   ${links.map((link) => `<a href="${link}">more</a>`).join('')}</body></html>`

export const COOKING =
  'Fry the onions in butter, add garlic, simmer the lentils in stock and season with cumin and salt.'
export const FOOTBALL =
  'The striker scored twice, the goalkeeper saved a penalty and the referee showed a red card.'
