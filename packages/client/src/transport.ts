import { problemOf } from './problem.ts'
import { sendWithRetries } from './retry.ts'

export interface Options {
  /** Ends the call, even during a pause. */
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
  readonly triesMax?: number
  /** For a POST: sent twice with the same key, it happens once. Default: a new key per call. */
  readonly idempotencyKey?: string
  /** For a change: only if the row still has this version; otherwise `VERSION_MISMATCH`. */
  readonly version?: number | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export interface ClientOptions {
  /** `https://ads.example`. Optional in a browser on Placard's own origin. */
  readonly url?: string
  readonly apiKey?: string
  /** A token, or a function that returns a valid one and is called before each request. */
  readonly accessToken?: string | AccessToken
  /** Per try. */
  readonly timeoutMs?: number
  readonly triesMax?: number
  readonly fetch?: typeof fetch
}

/** Called again with the refused token if the server refuses one. Then the call is sent once more. */
export type AccessToken = (refused?: string) => string | undefined | Promise<string | undefined>

/** Parameters of any request, after the type checks. */
export interface Given extends Options {
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
}

/** Sends a request to a path of the API. Returns parsed JSON, or the response if it is not JSON. */
export type Send = (method: string, path: string, given?: Given) => Promise<unknown>

const TIMEOUT_MS = 10_000
const TRIES_MAX = 4

/** Handles addresses, credentials, retries, and problems as errors for all calls. */
export function createTransport(options: ClientOptions = {}): Send {
  const origin = (options.url ?? '').replace(/\/+$/, '')
  return async (method, path, given = {}) => {
    const address = origin + path + queryOf(given.query)
    // Created once, so that a retry is the same request.
    const own = headersOf(method, given)
    const body = bodyOf(given.body)
    const tries = {
      // If the answer to a PATCH was lost, a repeat would find a newer version.
      triesMax: method === 'PATCH' ? 1 : (given.triesMax ?? options.triesMax ?? TRIES_MAX),
      timeoutMs: given.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS,
      signal: given.signal,
    }
    const sendAs = (token: string | undefined) => {
      const headers = { ...credentials(options, token), ...own }
      return sendWithRetries(
        (signal) => (options.fetch ?? fetch)(address, { method, headers, body, signal }),
        tries,
      )
    }
    return read(await sendSignedIn(options, sendAs))
  }
}

/** Sends with a valid token. If the server refuses it, sends once more with the next one. */
async function sendSignedIn(
  { accessToken }: ClientOptions,
  sendAs: (token: string | undefined) => Promise<Response>,
): Promise<Response> {
  if (typeof accessToken !== 'function') return sendAs(accessToken)
  const token = await accessToken()
  const response = await sendAs(token)
  if (response.status !== 401 || token === undefined) return response
  const next = await accessToken(token)
  return next === undefined || next === token ? response : sendAs(next)
}

async function read(response: Response): Promise<unknown> {
  if (!response.ok) throw await problemOf(response)
  if (response.status === 204) return undefined
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return isJson ? response.json() : response
}

function queryOf(query: Given['query'] = {}): string {
  const fields = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null)
      .map((one): [string, string] => [name, String(one)]),
  )
  const text = new URLSearchParams(fields).toString()
  return text && `?${text}`
}

function credentials(
  { apiKey }: ClientOptions,
  token: string | undefined,
): Readonly<Record<string, string>> {
  if (apiKey !== undefined) return { 'x-api-key': apiKey }
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

function headersOf(method: string, given: Given): Record<string, string> {
  const { body, version, idempotencyKey } = given
  return {
    ...(body !== undefined && { 'content-type': contentTypeOf(body) }),
    ...(method === 'POST' && { 'idempotency-key': idempotencyKey ?? freshKey() }),
    ...(version !== undefined && { 'if-match': `"${version}"` }),
    ...given.headers,
  }
}

/** A UUID, even in a page without a secure context, where `randomUUID` is missing. */
const freshKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

const contentTypeOf = (body: unknown) =>
  body instanceof Blob ? body.type || 'application/octet-stream' : 'application/json'

const bodyOf = (body: unknown) =>
  body === undefined ? null : body instanceof Blob ? body : JSON.stringify(body)
