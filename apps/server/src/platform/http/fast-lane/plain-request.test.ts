import fc from 'fast-check'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPlainRequest } from './plain-request.ts'

const text = (...lines: string[]) => Buffer.from(lines.join('\r\n'), 'latin1')
const POST = ['POST /ads HTTP/1.1', 'Host: a.example', 'Content-Type: application/json']

describe('a plain request', () => {
  test('is read with its names in lower case and its body', () => {
    const chunk = text(...POST, 'Content-Length: 2', '', '{}')

    expect(readPlainRequest(chunk)).toEqual({
      method: 'POST',
      url: '/ads',
      headers: { host: 'a.example', 'content-type': 'application/json', 'content-length': '2' },
      bodyAt: chunk.length - 2,
    })
  })

  test('without a body is read too', () => {
    expect(readPlainRequest(text('GET /t/i/a-b_c HTTP/1.1', 'Host:a', '', ''))).toMatchObject({
      method: 'GET',
      url: '/t/i/a-b_c',
      headers: { host: 'a' },
    })
  })

  test.each([
    ['has not come whole', text(...POST, 'Content-Length: 3', '', '{}')],
    ['is followed by another', text(...POST, 'Content-Length: 2', '', '{}GET')],
    ['has not even a whole head', text(...POST, 'Content-Len')],
    ['has no host', text('GET / HTTP/1.1', 'Accept: */*', '', '')],
    ['is of another version', text('GET / HTTP/1.0', 'Host: a', '', '')],
    ['is of another method', text('HEAD / HTTP/1.1', 'Host: a', '', '')],
    ['has a query', text('GET /a?b HTTP/1.1', 'Host: a', '', '')],
    ['has an address in escapes', text('GET /%61 HTTP/1.1', 'Host: a', '', '')],
    ['names a header twice', text('GET / HTTP/1.1', 'Host: a', 'host: b', '', '')],
    ['names a header as objects do', text('GET / HTTP/1.1', 'Host: a', '__proto__: b', '', '')],
    ['folds a header', text('GET / HTTP/1.1', 'Host: a', ' b', '', '')],
    ['has a space before a colon', text('GET / HTTP/1.1', 'Host : a', '', '')],
    ['has a bare line feed', Buffer.from('GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n')],
    ['comes in pieces', text(...POST, 'Transfer-Encoding: chunked', '', '')],
    ['wants to leave', text('GET / HTTP/1.1', 'Host: a', 'Connection: close', '', '')],
    ['wants another protocol', text('GET / HTTP/1.1', 'Host: a', 'Upgrade: h2c', '', '')],
    ['writes its length oddly', text(...POST, 'Content-Length: +2', '', '{}')],
    [
      'has a length and no right to it',
      text('GET / HTTP/1.1', 'Host: a', 'Content-Length: 0', '', ''),
    ],
  ])('is for others to read when it %s', (_, chunk) => {
    expect(readPlainRequest(chunk)).toBeUndefined()
  })
})

/** What `node:http` makes of the same bytes; undefined if it does not answer them as one request. */
let server: Server
let requests: { method: string; url: string; headers: object; body: string }[] = []

beforeAll(async () => {
  server = createServer((request, response) => void note(request).then(() => response.end('ok')))
  server.on('clientError', (_, socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.closeAllConnections())

async function note(request: IncomingMessage): Promise<void> {
  let body = ''
  for await (const chunk of request) body += (chunk as Buffer).toString('latin1')
  const { method, url, headers } = request
  requests.push({ method: method!, url: url!, headers: { ...headers }, body })
}

async function readByNode(chunk: Buffer) {
  requests = []
  const { port } = server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(chunk)
  await Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.destroy()
  return requests
}

const usual = fc.tuple(
  fc.constantFrom('X-One', 'Accept', 'Cookie', 'Referer', 'x_two'),
  fc.constantFrom(': ', ':'),
  fc.constantFrom('a', '', 'x y', 'a;b="c"', 'keep-alive'),
)
const unusual = fc.tuple(
  fc.constantFrom('Host', 'X-One', 'Content-Length', 'Connection', 'Transfer-Encoding'),
  fc.constantFrom(': ', ':', ' :', ':  '),
  fc.constantFrom('a', '2', ' b ', 'keep-alive', 'ä', '', 'close', '\tz', 'chunked'),
)
const line = fc
  .oneof({ arbitrary: usual, weight: 9 }, unusual)
  .map((parts: readonly string[]) => parts.join(''))
const start = fc.constantFrom('GET / HTTP/1.1', 'POST /a-b HTTP/1.1', 'GET /a//b HTTP/1.1')
const message = fc
  .tuple(start, fc.array(line, { maxLength: 3 }), fc.constantFrom('', '{}'))
  .map(([start, lines, body]) => {
    const length = start.startsWith('POST') ? [`Content-Length: ${body.length}`] : []
    return text(start, 'Host: a.example', ...length, ...lines, '', body)
  })
/** As it is, or with one byte replaced. */
const chunk = fc
  .tuple(message, fc.option(fc.tuple(fc.nat(), fc.constantFrom(0, 9, 10, 13, 32, 58, 200))))
  .map(([bytes, change]) => {
    if (change !== null) bytes[change[0] % bytes.length] = change[1]
    return bytes
  })

test('what is read here is read by node:http in the same way', async () => {
  let plain = 0
  await fc.assert(
    fc.asyncProperty(chunk, async (bytes) => {
      const read = readPlainRequest(bytes)
      if (read === undefined) return
      plain++
      const { method, url, headers, bodyAt } = read
      const body = bytes.toString('latin1', bodyAt)
      expect(await readByNode(bytes)).toEqual([{ method, url, headers, body }])
    }),
    { seed: 20_261_115, numRuns: 1_500 },
  )
  expect(plain).toBeGreaterThan(100)
})
