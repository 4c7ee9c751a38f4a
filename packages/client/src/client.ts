import type { Operations } from './generated/operations.ts'
import { ROUTES } from './generated/routes.ts'
import { type ClientOptions, createTransport, type Options } from './transport.ts'

export type OperationName = keyof Operations

/** The answer of an operation. */
export type AnswerOf<Name extends OperationName> = Operations[Name]['answer']

type Given<Name extends OperationName> = Needed<Name> & Options

/** The parameters of an operation: required ones must be given, and no others can be. */
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

/** Optional if the operation has no required parameter. */
type Arguments<Name extends OperationName> =
  object extends Given<Name> ? [given?: Given<Name>] : [given: Given<Name>]

export interface Client {
  /** Calls an operation by its name. Throws a `PlacardProblem` unless the answer is a success. */
  call<Name extends OperationName>(name: Name, ...given: Arguments<Name>): Promise<AnswerOf<Name>>
  /** Yields the rows of a list, page after page, until the caller stops. */
  each<Name extends ListName>(name: Name, ...given: Arguments<Name>): AsyncGenerator<RowOf<Name>>
}

interface PageOf<Row> {
  readonly items: readonly Row[]
  readonly nextCursor?: string | undefined
}

/** Operations whose answers come in pages. */
export type ListName = {
  [Name in OperationName]: AnswerOf<Name> extends PageOf<unknown>
    ? Operations[Name]['query'] extends { readonly cursor?: string | undefined }
      ? Name
      : never
    : never
}[OperationName]

export type RowOf<Name extends ListName> = AnswerOf<Name> extends PageOf<infer Row> ? Row : never

/** Parameters of any operation, after the type checks. */
interface Loose extends Options {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

export function createClient(options: ClientOptions = {}): Client {
  const send = createTransport(options)
  const call = (name: OperationName, { params = {}, ...given }: Loose = {}): Promise<unknown> => {
    const [method = '', path = ''] = ROUTES[name].split(' ')
    return send(method, pathOf(path, params), given)
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

const pathOf = (path: string, params: Readonly<Record<string, unknown>>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
