import type { Operations } from './generated/operations.ts'
import { ROUTES } from './generated/routes.ts'
import { problemOf } from './problem.ts'
import { sendWithRetries } from './retry.ts'

export type OperationName = keyof Operations

/** What an operation answers. */
export type AnswerOf<Name extends OperationName> = Operations[Name]['answer']

type Given<Name extends OperationName> = Needed<Name> & Options

/** Only what an operation takes can be given; what it needs must be. */
type Needed<Name extends OperationName> = {
  [
    Part in 'params' | 'query' | 'body' as undefined extends Operations[Name][Part]
      ? never
      : object extends Operations[Name][Part]
        ? never
        : Part
  ]: Operations[Name][Part]
} & {
  [
    Part in 'params' | 'query' | 'body' as object extends Operations[Name][Part] ? Part : never
  ]?: Operations[Name][Part]
}

export interface Options {
  /** Ends the call, its pauses too. */
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** Of a POST: sent twice with the same key it happens once. Each call has its own unless told. */
  readonly idempotencyKey?: string
  /** Of a change: only if the row still has this version; else `VERSION_MISMATCH`. */
  readonly version?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Nothing need be given where nothing is needed. */
type Arguments<Name extends OperationName> =
  object extends Given<Name> ? [given?: Given<Name>] : [given: Given<Name>]

export interface ClientOptions {
  /** `https://ads.example`; in a browser on Placard's own origin it may be left out. */
  readonly url?: string
  readonly apiKey?: string
  /** A token, or where to get one that works now: it is asked before each call. */
  readonly accessToken?: string | (() => string | undefined | Promise<string | undefined>)
  /** Per try. */
  readonly timeoutMs?: number
  readonly triesMax?: number
  readonly fetch?: typeof fetch
}

export interface Client {
  /** Calls an operation by its name; throws a `PlacardProblem` for everything but a yes. */
  call<Name extends OperationName>(name: Name, ...given: Arguments<Name>): Promise<AnswerOf<Name>>
  /** Every row of a list, page after page, as many as are asked for. */
  each<Name extends ListName>(name: Name, ...given: Arguments<Name>): AsyncGenerator<RowOf<Name>>
}

interface PageOf<Row> {
  readonly items: readonly Row[]
  readonly nextCursor?: string | undefined
}

/** Operations that answer page by page. */
export type ListName = {
  [Name in OperationName]: AnswerOf<Name> extends PageOf<unknown>
    ? Operations[Name]['query'] extends { readonly cursor?: string | undefined }
      ? Name
      : never
    : never
}[OperationName]

export type RowOf<Name extends ListName> = AnswerOf<Name> extends PageOf<infer Row> ? Row : never

const TIMEOUT_MS = 10_000
const TRIES_MAX = 4

/** What any operation may be given, once the types have done their work. */
interface Loose extends Options {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

export function createClient(options: ClientOptions = {}): Client {
  const { timeoutMs = TIMEOUT_MS, triesMax = TRIES_MAX } = options
  const call = async (name: OperationName, given: Loose = {}): Promise<unknown> => {
    const [method = '', path = ''] = ROUTES[name].split(' ')
    const address = (options.url ?? '').replace(/\/+$/, '') + addressOf(path, given)
    const headers = { ...(await credentials(options)), ...headersOf(method, given) }
    const body = bodyOf(given.body)
    const response = await sendWithRetries(
      (signal) => (options.fetch ?? fetch)(address, { method, headers, body, signal }),
      {
        // A PATCH that was lost on its way back would find a newer version.
        triesMax: method === 'PATCH' ? 1 : triesMax,
        timeoutMs: given.timeoutMs ?? timeoutMs,
        signal: given.signal,
      },
    )
    if (!response.ok) throw await problemOf(response)
    if (response.status === 204) return undefined
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return isJson ? response.json() : response
  }

  async function* each(name: OperationName, given: Loose = {}) {
    let cursor: string | undefined
    do {
      const query = { ...given.query, ...(cursor !== undefined && { cursor }) }
      const page = (await call(name, { ...given, query })) as PageOf<unknown>
      yield* page.items
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }
  return { call, each } as Client
}

function addressOf(path: string, { params = {}, query = {} }: Loose): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const fields = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null)
      .map((one): [string, string] => [name, String(one)]),
  )
  const text = new URLSearchParams(fields).toString()
  return text ? `${filled}?${text}` : filled
}

async function credentials({ apiKey, accessToken }: ClientOptions) {
  if (apiKey !== undefined) return { 'x-api-key': apiKey }
  const token = typeof accessToken === 'function' ? await accessToken() : accessToken
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

function headersOf(method: string, given: Loose): Record<string, string> {
  const { body, version, idempotencyKey } = given
  return {
    ...(body !== undefined && { 'content-type': contentTypeOf(body) }),
    ...(method === 'POST' && { 'idempotency-key': idempotencyKey ?? freshKey() }),
    ...(version !== undefined && { 'if-match': `"${version}"` }),
    ...given.headers,
  }
}

/** Also where a page has no secure context, and so no `randomUUID`. */
const freshKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

const contentTypeOf = (body: unknown) =>
  body instanceof Blob ? body.type || 'application/octet-stream' : 'application/json'

const bodyOf = (body: unknown) =>
  body === undefined ? null : body instanceof Blob ? body : JSON.stringify(body)
