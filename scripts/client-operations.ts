/** Generates the client's operations from the OpenAPI document, one line each. */

interface Schema {
  readonly type?: string | readonly string[]
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly {
    readonly in: string
    readonly name: string
    readonly required?: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

export interface ApiDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const MADE = '// Made from docs/reference/openapi.json by "npm run generate".'

/** Method and path of each operation. */
export const clientRoutes = (api: ApiDescription): string =>
  [
    MADE,
    'export const ROUTES = {',
    ...sorted(api).map(
      ({ path, method, operation }) =>
        `  ${operation.operationId}: '${method.toUpperCase()} ${path}',`,
    ),
    '} as const',
    '',
  ].join('\n')

/** Parameters and answer of each operation. */
export const clientOperations = (api: ApiDescription): string =>
  [
    MADE,
    'export interface Operations {',
    ...sorted(api).map(({ operation }) => `  ${operation.operationId}: ${typeOf(operation)}`),
    '}',
    '',
  ].join('\n')

const sorted = ({ paths }: ApiDescription) =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
    .toSorted((one, other) => (one.operation.operationId < other.operation.operationId ? -1 : 1))

function typeOf(operation: Operation): string {
  const parts = [
    ['params', fieldsOf(operation, 'path')],
    ['query', fieldsOf(operation, 'query')],
    ['body', bodyOf(operation)],
    ['answer', answerOf(operation)],
  ]
  return `{ ${parts.map(([name, type]) => `${name}: ${type}`).join('; ')} }`
}

function fieldsOf({ parameters = [] }: Operation, place: string): string {
  const fields = parameters.filter((parameter) => parameter.in === place)
  if (fields.length === 0) return 'undefined'
  return recordOf(
    fields.map(({ name, required, schema }) => [name, schema, required === true] as const),
  )
}

const JSON_TYPE = 'application/json'

function bodyOf({ requestBody }: Operation): string {
  if (!requestBody) return 'undefined'
  const json = requestBody.content[JSON_TYPE]
  return json ? typeText(json.schema) : 'Blob'
}

/** An answer that is not JSON is returned as a `Response`. */
function answerOf({ responses }: Operation): string {
  const kinds = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => {
      if (!content) return 'undefined'
      const json = content[JSON_TYPE]
      return json ? typeText(json.schema) : 'Response'
    })
  return [...new Set(kinds)].join(' | ') || 'Response'
}

/** A schema as a TypeScript type, or `unknown` if there is no such type. */
function typeText(schema: Schema): string {
  if (schema.anyOf) return unionOf(schema.anyOf.map(typeText))
  if (schema.enum) return unionOf(schema.enum.map((value) => JSON.stringify(value)))
  if ('const' in schema) return JSON.stringify(schema.const)
  const { type } = schema
  if (typeof type === 'object')
    return unionOf(type.map((one) => typeText({ ...schema, type: one })))
  if (type === 'array') return `(${typeText(schema.items ?? {})})[]`
  if (type === 'object') return objectOf(schema)
  return SIMPLE[type ?? ''] ?? 'unknown'
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

const unionOf = (types: readonly string[]) => [...new Set(types)].join(' | ')

function objectOf({ properties, required = [], additionalProperties }: Schema): string {
  if (properties) {
    const fields = Object.entries(properties)
    return recordOf(
      fields.map(([name, schema]) => [name, schema, required.includes(name)] as const),
    )
  }
  const values =
    typeof additionalProperties === 'object' ? typeText(additionalProperties) : 'unknown'
  return `Record<string, ${values}>`
}

const recordOf = (fields: readonly (readonly [string, Schema, boolean])[]) =>
  `{ ${fields.map(([name, schema, isRequired]) => `${nameOf(name)}${isRequired ? '' : '?'}: ${typeText(schema)}${isRequired ? '' : ' | undefined'}`).join('; ')} }`

const nameOf = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))
