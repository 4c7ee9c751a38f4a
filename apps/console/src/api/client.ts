import { createTransport } from '@placard/client'
import { session } from './session.ts'

const API = '/api/v1'
/** More retries would keep the reader waiting too long. */
const TRIES_MAX = 3

export type Query = Readonly<Record<string, string | number | boolean | undefined | null>>

const send = createTransport({
  accessToken: (refused) => session.token(refused),
  timeoutMs: 20_000,
  triesMax: TRIES_MAX,
})

/** A change is sent once. The user sees the result and decides whether to repeat it. */
const ONCE = { triesMax: 1 }

const addressOf = (path: string) => (path.startsWith('/health') ? path : API + path)

/** An empty filter is left out. */
const given = (query: Query = {}) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))

/** The file of an answer, under the name that the server gives it. */
async function fileOf(answer: Response): Promise<File> {
  const [, name = 'placard'] =
    /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '') ?? []
  return new File([await answer.blob()], name)
}

/**
 * Calls the API by path, as the signed-in user. The path is also the key of the cache, so a change
 * knows which answers are out of date. Throws a `PlacardProblem` for every error.
 */
export const api = {
  get: <Answer>(path: string, query?: Query, signal?: AbortSignal) =>
    send('GET', addressOf(path), { query: given(query), signal }) as Promise<Answer>,
  /** Shows what would be served. Nothing is reserved, counted or charged. */
  peek: <Answer>(path: string, signal: AbortSignal) =>
    send('GET', addressOf(path), { headers: { purpose: 'prefetch' }, signal }) as Promise<Answer>,
  post: <Answer>(path: string, body?: unknown, version?: number) =>
    send('POST', addressOf(path), { ...ONCE, body, version }) as Promise<Answer>,
  /** A read with a body. It changes nothing. */
  ask: <Answer>(path: string, body: unknown, signal?: AbortSignal) =>
    send('POST', addressOf(path), { body, signal }) as Promise<Answer>,
  /** The same for a file. Undefined if the server will write the file later. */
  download: async (path: string, body: unknown): Promise<File | undefined> => {
    const answer = await send('POST', addressOf(path), { ...ONCE, body })
    return answer instanceof Response ? fileOf(answer) : undefined
  },
  /** A file, unparsed. */
  file: async (path: string, query?: Query): Promise<File> => {
    const answer = await send('GET', addressOf(path), { query: given(query) })
    return answer instanceof Response
      ? fileOf(answer)
      : new File([JSON.stringify(answer)], 'placard.json')
  },
  /** A stream of server-sent events as text. Undefined if the reader may not listen. */
  listen: async (path: string, query: Record<string, string>, signal: AbortSignal) => {
    const token = await session.token()
    const answer = await fetch(`${addressOf(path)}?${new URLSearchParams(query).toString()}`, {
      headers: token ? { authorization: `Bearer ${token}` } : {},
      signal,
    })
    if (answer.status === 403) return undefined
    if (!answer.ok) throw new Error(`The server tells no news: ${answer.status}`)
    return answer.body!.pipeThrough(new TextDecoderStream())
  },
  put: <Answer>(path: string, body?: unknown, version?: number) =>
    send('PUT', addressOf(path), { ...ONCE, body, version }) as Promise<Answer>,
  patch: <Answer>(path: string, body: unknown, version?: number) =>
    send('PATCH', addressOf(path), { ...ONCE, body, version }) as Promise<Answer>,
  delete: (path: string) => send('DELETE', addressOf(path), ONCE) as Promise<void>,
  upload: <Answer>(path: string, file: Blob, query?: Query) =>
    send('POST', addressOf(path), { ...ONCE, body: file, query: given(query) }) as Promise<Answer>,
}
