import type { Database } from '../platform/database/connect.ts'
import type { Http } from '../platform/http/server.ts'

/** The API as its own description tells it: what the walkers follow. */

export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxLength?: number
  readonly additionalProperties?: unknown
}

export interface Operation {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly access: string
  readonly body: JsonSchema | undefined
  readonly bodyType: string | undefined
  readonly query: Readonly<Record<string, JsonSchema>>
}

interface Described {
  readonly operationId: string
  readonly 'x-access': string
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: JsonSchema }>> }
  readonly parameters?: readonly { name: string; in: string; schema: JsonSchema }[]
}

export function operationsOf(http: Http): Operation[] {
  const { paths } = http.swagger() as unknown as {
    paths: Record<string, Record<string, Described>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const [bodyType, body] = Object.entries(described.requestBody?.content ?? {})[0] ?? []
      const query = (described.parameters ?? []).filter((parameter) => parameter.in === 'query')
      return {
        id: described.operationId,
        method: method.toUpperCase() as Operation['method'],
        path,
        access: described['x-access'],
        body: body?.schema,
        bodyType,
        query: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
      }
    }),
  )
}

/** Names of path parameters and reference fields → the public id of a row that exists. */
export type Known = Readonly<Record<string, string>>

export const NOBODY = '01890000-0000-7000-8000-00000000dead'

export function urlOf({ path }: Operation, known: Known): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? NOBODY)
}

/** A valid value by the examples of the contract; references are filled from what exists. */
export function exampleOf(schema: JsonSchema, known: Known, field = ''): unknown {
  if (field in known) return known[field]
  if (schema.examples?.length) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0]!, known, field)
  if (schema.type === 'object') return exampleObject(schema, known)
  if (schema.type === 'array') return exampleArray(schema, known)
  if (schema.type === 'boolean') return schema.default ?? true
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  throw new Error(`the contract gives no example for ${field || JSON.stringify(schema)}`)
}

function exampleObject({ properties = {}, required = [] }: JsonSchema, known: Known) {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([field]) => required.includes(field))
      .map(([field, schema]) => [field, exampleOf(schema, known, field)]),
  )
}

function exampleArray({ items, minItems = 1 }: JsonSchema, known: Known) {
  return Array.from({ length: Math.max(1, minItems) }, () => exampleOf(items ?? {}, known))
}

/** Lets one API run inside whatever transaction is current, so that each call can be undone. */
export interface UndoableDatabase {
  readonly db: Database
  /** Runs the work in a transaction that is rolled back, whatever happens in it. */
  undoing<Result>(work: () => Promise<Result>): Promise<Result>
}

export function undoable(real: Database): UndoableDatabase {
  let current = real
  const db = new Proxy(real, {
    get: (_target, name) => {
      const value: unknown = Reflect.get(current, name, current)
      return typeof value === 'function' ? value.bind(current) : value
    },
  })

  return {
    db,
    async undoing(work) {
      let result: Awaited<ReturnType<typeof work>>
      const undo = new Error('undo')
      await real
        .transaction(async (transaction) => {
          current = transaction
          try {
            result = await work()
          } finally {
            current = real
          }
          throw undo
        })
        .catch((error: unknown) => {
          if (error !== undo) throw error
        })
      return result!
    },
  }
}
