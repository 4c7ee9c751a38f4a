import { ApiProblem, noAnswer, problemOf } from './problem.ts'
import { session } from './session.ts'

const API = '/api/v1'
const TIMEOUT_MS = 20_000

export type Query = Readonly<Record<string, string | number | boolean | undefined | null>>

interface Call {
  readonly method?: string
  readonly query?: Query | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** The answer comes bit by bit, as long as somebody listens. */
  readonly isEndless?: boolean
}

/** One call of the API as whoever is signed in; throws an `ApiProblem` for everything but a yes. */
export async function call<Answer>(path: string, request: Call = {}): Promise<Answer> {
  const response = await answerOf(path, request)
  return response.status === 204 ? (undefined as Answer) : (response.json() as Promise<Answer>)
}

async function answerOf(path: string, request: Call): Promise<Response> {
  const token = await session.token()
  const first = await send(path, request, token)
  // The session may have been renewed elsewhere, or its token ended early: once more with a new one.
  const response =
    first.status === 401 && token ? await send(path, request, await session.token(token)) : first
  if (!response.ok) throw await problemOf(response)
  return response
}

async function send(path: string, request: Call, token: string | undefined): Promise<Response> {
  const { method = 'GET', query, body, signal, isEndless = false } = request
  const isFile = body instanceof Blob
  try {
    return await fetch(addressOf(path, query), {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && !isFile && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
      signal: AbortSignal.any([
        ...(isEndless ? [] : [AbortSignal.timeout(TIMEOUT_MS)]),
        ...(signal ? [signal] : []),
      ]),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw noAnswer()
  }
}

export function addressOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  const base = path.startsWith('/health') ? path : API + path
  return text ? `${base}?${text}` : base
}

/** A POST that may be sent twice without harm: the key makes the second one the first one's answer. */
const once = () => ({
  'idempotency-key': crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`,
})

/** The version that was looked at: a change by somebody else in between is not overwritten. */
const ifMatch = (version: number | undefined): Record<string, string> =>
  version === undefined ? {} : { 'if-match': `"${version}"` }

export const api = {
  get: <Answer>(path: string, query?: Query, signal?: AbortSignal) =>
    call<Answer>(path, { query, signal }),
  post: <Answer>(path: string, body?: unknown, version?: number) =>
    call<Answer>(path, { method: 'POST', body, headers: { ...once(), ...ifMatch(version) } }),
  /** A question that needs a body; it changes nothing. */
  ask: <Answer>(path: string, body: unknown, signal?: AbortSignal) =>
    call<Answer>(path, { method: 'POST', body, signal }),
  /** The same where the answer is a file. */
  download: async (path: string, body: unknown): Promise<Blob> =>
    (await answerOf(path, { method: 'POST', body })).blob(),
  /** What the server sends as it happens, in pieces of text. */
  listen: async (path: string, query: Query, signal: AbortSignal) =>
    (await answerOf(path, { query, signal, isEndless: true })).body!.pipeThrough(
      new TextDecoderStream(),
    ),
  put: <Answer>(path: string, body?: unknown) => call<Answer>(path, { method: 'PUT', body }),
  patch: <Answer>(path: string, body: unknown, version?: number) =>
    call<Answer>(path, {
      method: 'PATCH',
      body,
      headers: ifMatch(version),
    }),
  delete: (path: string) => call<void>(path, { method: 'DELETE' }),
  upload: <Answer>(path: string, file: Blob, query?: Query) =>
    call<Answer>(path, {
      method: 'POST',
      body: file,
      query,
      headers: { 'content-type': file.type },
    }),
}

export const isProblem = (error: unknown): error is ApiProblem => error instanceof ApiProblem
