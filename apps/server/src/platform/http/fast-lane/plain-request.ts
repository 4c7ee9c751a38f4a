import type { IncomingHttpHeaders } from 'node:http'

/** A request that arrived in one chunk and has nothing unusual. */
export interface PlainRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Start of the body, which runs to the end of the chunk. */
  readonly bodyAt: number
}

const LINE = '\r\n'
const HEAD_END = '\r\n\r\n'
const VERSION = ' HTTP/1.1\r\n'
const HEAD_BYTES_MAX = 8_192
const BODY_BYTES_MAX = 65_536

/** Headers that every HTTP parser reads alike: no folding, no control characters. */
const HEADERS = /^(?:[\w-]+:[ ]?(?:[!-~](?:[ -~]*[!-~])?)?\r\n)+$/
const LENGTH = /^(?:0|[1-9]\d{0,4})$/
const URL_TEXT = /^\/[\w./~-]*$/

/** Headers that change how a message is read, or who reads it. */
const UNUSUAL = new Set([
  'transfer-encoding',
  'content-encoding',
  'upgrade',
  'expect',
  'trailer',
  'te',
  'http2-settings',
])

/**
 * Parses a chunk that is one whole plain request. Everything else gives undefined, and `node:http`
 * parses, refuses or waits for the rest. When in doubt, undefined: the lane never reads a request
 * differently from `node:http`.
 */
export function readPlainRequest(chunk: Buffer): PlainRequest | undefined {
  const text = chunk.toString('latin1', 0, HEAD_BYTES_MAX)
  const headEnd = text.indexOf(HEAD_END)
  const lineEnd = text.indexOf(LINE)
  if (headEnd < 0 || headEnd === lineEnd) return undefined
  const method = text.startsWith('POST ') ? 'POST' : text.startsWith('GET ') ? 'GET' : undefined
  if (method === undefined) return undefined
  const urlEnd = lineEnd + LINE.length - VERSION.length
  if (!text.startsWith(VERSION, urlEnd)) return undefined
  const url = text.slice(method.length + 1, urlEnd)
  const lines = text.slice(lineEnd + LINE.length, headEnd + LINE.length)
  if (!URL_TEXT.test(url) || !HEADERS.test(lines)) return undefined

  const headers = headersOf(lines)
  const bodyAt = headEnd + HEAD_END.length
  if (headers === undefined || !fits(headers, chunk.length - bodyAt, method)) return undefined
  return { method, url, headers, bodyAt }
}

/** Undefined if a name repeats, or changes how the message is read. */
function headersOf(lines: string): IncomingHttpHeaders | undefined {
  const headers: Record<string, string | undefined> = emptyHeaders()
  for (let at = 0; at < lines.length;) {
    const colon = lines.indexOf(':', at)
    const end = lines.indexOf(LINE, colon)
    const name = lowerCase(lines.slice(at, colon))
    if (headers[name] !== undefined || UNUSUAL.has(name)) return undefined
    headers[name] = lines.slice(lines[colon + 1] === ' ' ? colon + 2 : colon + 1, end)
    at = end + LINE.length
  }
  return headers
}

const NAMES_KEPT = 256
const lowerCased = new Map<string, string>()

/** The same few names come with every request, so each is lower-cased once. */
function lowerCase(name: string): string {
  const known = lowerCased.get(name)
  if (known !== undefined) return known
  const lower = name.toLowerCase()
  if (lowerCased.size < NAMES_KEPT) lowerCased.set(name, lower)
  return lower
}

/**
 * Names that browsers and proxies usually send exist from the start: setting an existing property costs
 * a tenth of adding one.
 */
const emptyHeaders = (): Record<string, string | undefined> => ({
  host: undefined,
  connection: undefined,
  'content-length': undefined,
  'content-type': undefined,
  'user-agent': undefined,
  accept: undefined,
  'accept-encoding': undefined,
  'accept-language': undefined,
  origin: undefined,
  referer: undefined,
  cookie: undefined,
  'cache-control': undefined,
  pragma: undefined,
  priority: undefined,
  dnt: undefined,
  purpose: undefined,
  'sec-gpc': undefined,
  'sec-purpose': undefined,
  'sec-fetch-dest': undefined,
  'sec-fetch-mode': undefined,
  'sec-fetch-site': undefined,
  'sec-ch-ua': undefined,
  'sec-ch-ua-mobile': undefined,
  'sec-ch-ua-platform': undefined,
  'x-forwarded-for': undefined,
  'x-forwarded-host': undefined,
  'x-forwarded-proto': undefined,
  'x-request-id': undefined,
  'x-api-key': undefined,
  authorization: undefined,
})

function fits(headers: IncomingHttpHeaders, bodyBytes: number, method: string): boolean {
  const { connection, host } = headers
  const length = headers['content-length']
  if (host === undefined || (connection !== undefined && !/^keep-alive$/i.test(connection))) {
    return false
  }
  if (length === undefined) return method === 'GET' && bodyBytes === 0
  return (
    method === 'POST' &&
    LENGTH.test(length) &&
    Number(length) === bodyBytes &&
    bodyBytes <= BODY_BYTES_MAX
  )
}
