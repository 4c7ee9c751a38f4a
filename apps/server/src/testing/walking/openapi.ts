import type { Database } from '../../platform/database/connect.ts'
import type { Http } from '../../platform/http/server.ts'

/** The OpenAPI document in the form that the walkers follow. */

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
  readonly pattern?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly 'x-patched'?: 'merged' | 'whole'
  readonly additionalProperties?: unknown
  /** Roles that may write the field; absent: all callers. */
  readonly 'x-written-by'?: readonly string[]
  /** The condition under which the restriction applies. */
  readonly 'x-written-by-when'?: string
}

export type Fields = Readonly<Record<string, JsonSchema>>

export interface Operation {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As in the document: `/campaigns/{campaignId}`. */
  readonly path: string
  readonly access: string
  readonly ignoresUnknownFields: boolean
  readonly body: JsonSchema | undefined
  readonly bodyType: string | undefined
  readonly params: Fields
  readonly query: Fields
  readonly requiredQuery: readonly string[]
}

interface MediaType {
  readonly schema: JsonSchema
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
  readonly example?: unknown
}

interface Described {
  readonly operationId: string
  readonly 'x-access': string
  readonly 'x-ignores-unknown-fields'?: boolean
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> }
  readonly parameters?: readonly {
    name: string
    in: string
    required?: boolean
    schema: JsonSchema
  }[]
}

export function operationsOf(http: Http): Operation[] {
  const { paths } = http.swagger() as unknown as {
    paths: Record<string, Record<string, Described>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const [bodyType, body] = Object.entries(described.requestBody?.content ?? {})[0] ?? []
      return {
        id: described.operationId,
        method: method.toUpperCase() as Operation['method'],
        path,
        access: described['x-access'],
        ignoresUnknownFields: described['x-ignores-unknown-fields'] === true,
        body: body && schemaOf(body),
        bodyType,
        params: parametersOf(described, 'path'),
        query: parametersOf(described, 'query'),
        requiredQuery: (described.parameters ?? []).flatMap((one) =>
          one.in === 'query' && one.required ? [one.name] : [],
        ),
      }
    }),
  )
}

/** OpenAPI keeps examples of a whole body beside its schema. */
function schemaOf({ schema, example, examples = {} }: MediaType): JsonSchema {
  const all = Object.values(examples).map(({ value }) => value)
  if (example !== undefined) all.push(example)
  return all.length > 0 ? { ...schema, examples: all } : schema
}

const parametersOf = ({ parameters = [] }: Described, place: string): Fields =>
  Object.fromEntries(
    parameters.filter((one) => one.in === place).map(({ name, schema }) => [name, schema]),
  )

/** Path parameters and field names → a value of an existing row. */
export type Known = Readonly<Record<string, unknown>>

export const NOBODY = '01890000-0000-7000-8000-00000000dead'

export function urlOf({ path }: Operation, known: Known): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => knownId(known, name) ?? NOBODY)
}

/** The known value if it is an id or another short text. */
export function knownId(known: Known, name: string): string | undefined {
  const value = known[name]
  return typeof value === 'string' ? value : undefined
}

/**
 * A valid value from the contract's examples, including optional fields, with known values filled in.
 * Undefined if the contract has no example.
 */
export function exampleOf(schema: JsonSchema, known: Known, field = ''): unknown {
  if (field in known && mayHold(schema, known[field])) return known[field]
  if (schema.examples?.length) return filledIn(schema.examples[0], known)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0]!, known, field)
  if (schema.type === 'object') return exampleObject(schema, known)
  if (schema.type === 'array') return exampleArray(schema, known)
  if (schema.type === 'boolean') return schema.default ?? true
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  return undefined
}

/** Our ids go only where UUIDs are asked for: a free-text `userId` is the caller's own. */
const mayHold = (schema: JsonSchema, value: unknown): boolean =>
  !(typeof value === 'string' && UUID.test(value)) ||
  schema.format === 'uuid' ||
  (schema.anyOf ?? []).some((option) => option.format === 'uuid')

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** An example that is an object names no existing row. */
function filledIn(example: unknown, known: Known): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example
  return Object.fromEntries(
    Object.entries(example).map(([field, value]) => [field, field in known ? known[field] : value]),
  )
}

function exampleObject({ properties = {}, required = [] }: JsonSchema, known: Known) {
  const fields = Object.entries(properties).map(
    ([field, schema]) => [field, exampleOf(schema, known, field)] as const,
  )
  const missing = fields.filter(([field, value]) => value === undefined && required.includes(field))
  if (missing.length > 0) throw new Error(`the contract gives no example for ${missing.join()}`)
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

const exampleArray = ({ items = {}, minItems = 1 }: JsonSchema, known: Known) =>
  Array.from({ length: Math.max(1, minItems) }, () => exampleOf(items, known))

/** Lets the API run inside the current transaction, so that each call can be undone. */
export interface UndoableDatabase {
  readonly db: Database
  /** Runs the work in a transaction that is always rolled back. May be nested. */
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
      const outer = current
      const undo = new Error('undo')
      let result: Awaited<ReturnType<typeof work>>
      await outer
        .transaction(async (transaction) => {
          current = transaction
          try {
            result = await work()
          } finally {
            current = outer
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
