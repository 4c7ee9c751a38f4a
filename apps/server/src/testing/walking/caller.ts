import { setImmediate as nextTurn } from 'node:timers/promises'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Http } from '../../platform/http/server.ts'
import { exampleOf, urlOf, type Known, type Operation } from './openapi.ts'
import type { Person } from './people.ts'

export type Answer = LightMyRequestResponse

/** Calls operations as the OpenAPI document describes them. */
export interface Caller {
  readonly operations: readonly Operation[]
  call(person: Person | undefined, operation: Operation, known?: Known): Promise<Answer>
}

export function operationNamed({ operations }: Pick<Caller, 'operations'>, id: string): Operation {
  const found = operations.find((operation) => operation.id === id)
  if (!found) throw new Error(`there is no operation ${id}`)
  return found
}

/** Values for one operation only, such as `servePlacement.slug`, override the rest. */
export function knownTo({ id }: Operation, known: Known): Known {
  const own = Object.entries(known).filter(([name]) => name.startsWith(`${id}.`))
  return {
    ...known,
    ...Object.fromEntries(own.map(([name, value]) => [name.slice(id.length + 1), value])),
  }
}

/** A request as the description asks for it, with known values filled in. */
export function requestOf(
  operation: Operation,
  known: Known,
  headers: Readonly<Record<string, string>> = {},
): Omit<InjectOptions, 'query'> & { url: string; query: Record<string, string> } {
  const { method, body, bodyType } = operation
  const names = knownTo(operation, known)
  const query = Object.fromEntries(
    operation.requiredQuery.map((name) => [name, String(names[name])]),
  )
  const request = { method, url: urlOf(operation, names), headers, query }
  if (!body) return request
  if (bodyType === 'application/json') {
    return { ...request, payload: exampleOf(body, names) as object }
  }
  const file = names.file ?? { type: bodyType, bytes: exampleOf(body, names) }
  const { type, bytes } = file as { type: string; bytes: Buffer }
  return { ...request, payload: bytes, headers: { ...headers, 'content-type': type } }
}

/** The id of what an operation created: `createAdSet` gives an `adSetId`. */
export function idIn(operationId: string, answer: Answer): Known {
  const noun = /^(?:create|upload|submit)([A-Z]\w+)$/.exec(operationId)?.[1]
  if (!noun) return {}
  return { [`${noun[0]!.toLowerCase()}${noun.slice(1)}Id`]: answer.json<{ id: string }>().id }
}

/** The same request with a raw query. */
export function asking(request: ReturnType<typeof requestOf>, text: string): InjectOptions {
  const named = new Set(new URLSearchParams(text).keys())
  const query = Object.fromEntries(
    Object.entries(request.query).filter(([name]) => !named.has(name)),
  )
  return { ...request, url: `${request.url}?${text}`, query }
}

/** The event loop comes round between requests. A thousand without a turn would look like an overload. */
export async function injectInTurn(http: Http, request: InjectOptions) {
  await nextTurn()
  return http.inject(request)
}
