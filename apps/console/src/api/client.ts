import { createTransport } from '@placard/client'
import { session } from './session.ts'

const API = '/api/v1'
/** Beyond this somebody who waits in front of a page has gone. */
const TRIES_MAX = 3

export type Query = Readonly<Record<string, string | number | boolean | undefined | null>>

const send = createTransport({
  accessToken: (refused) => session.token(refused),
  timeoutMs: 20_000,
  triesMax: TRIES_MAX,
})

/** A change is sent once: whoever made it sees what happened, and decides. */
const ONCE = { triesMax: 1 }

const addressOf = (path: string) => (path.startsWith('/health') ? path : API + path)

/** A filter that is empty is none. */
const given = (query: Query = {}) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))

/**
 * The API by its paths, as whoever is signed in: what an answer is kept under tells which changes
 * make it old. Throws a `PlacardProblem` for everything but a yes.
 */
export const api = {
  get: <Answer>(path: string, query?: Query, signal?: AbortSignal) =>
    send('GET', addressOf(path), { query: given(query), signal }) as Promise<Answer>,
  /** Only looks at what would be served: nothing is reserved, counted or charged. */
  peek: <Answer>(path: string, signal: AbortSignal) =>
    send('GET', addressOf(path), { headers: { purpose: 'prefetch' }, signal }) as Promise<Answer>,
  post: <Answer>(path: string, body?: unknown, version?: number) =>
    send('POST', addressOf(path), { ...ONCE, body, version }) as Promise<Answer>,
  /** A question that needs a body; it changes nothing. */
  ask: <Answer>(path: string, body: unknown, signal?: AbortSignal) =>
    send('POST', addressOf(path), { body, signal }) as Promise<Answer>,
  /** The same where the answer is a file; undefined where it is told of a file that will be written. */
  download: async (path: string, body: unknown): Promise<Blob | undefined> => {
    const answer = await send('POST', addressOf(path), { ...ONCE, body })
    return answer instanceof Response ? answer.blob() : undefined
  },
  /** A file as it is, whatever is in it. */
  file: async (path: string, query?: Query): Promise<Blob> => {
    const answer = await send('GET', addressOf(path), { query: given(query) })
    return answer instanceof Response ? answer.blob() : new Blob([JSON.stringify(answer)])
  },
  /** What the server sends as it happens, in pieces of text; undefined to whoever may not listen. */
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
  put: <Answer>(path: string, body?: unknown) =>
    send('PUT', addressOf(path), { ...ONCE, body }) as Promise<Answer>,
  patch: <Answer>(path: string, body: unknown, version?: number) =>
    send('PATCH', addressOf(path), { ...ONCE, body, version }) as Promise<Answer>,
  delete: (path: string) => send('DELETE', addressOf(path), ONCE) as Promise<void>,
  upload: <Answer>(path: string, file: Blob, query?: Query) =>
    send('POST', addressOf(path), { ...ONCE, body: file, query: given(query) }) as Promise<Answer>,
}
