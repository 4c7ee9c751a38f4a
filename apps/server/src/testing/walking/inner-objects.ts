import { exampleOf, type JsonSchema } from './openapi.ts'

/** An object inside a body: its place, and what the contract says of it. */
export interface InnerObject {
  /** Names of the fields that lead to it: `['question', 'filters']`. */
  readonly path: readonly string[]
  readonly schema: JsonSchema
}

/** All objects inside a body, at any depth. Those in a list are replaced with it. */
export function innerObjectsOf(schema: JsonSchema, path: readonly string[] = []): InnerObject[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const object = (field.anyOf ?? [field]).find(({ type }) => type === 'object')
    if (object === undefined) return []
    const own = [...path, name]
    return [{ path: own, schema: object }, ...innerObjectsOf(object, own)]
  })
}

/** Fields of a body, and of the objects inside, that get a value when they are left out. */
export const defaultsIn = (body: JsonSchema): string[] =>
  [{ path: [], schema: body }, ...innerObjectsOf(body)].flatMap(({ path, schema }) =>
    Object.entries(schema.properties ?? {})
      .filter(([, field]) =>
        [field, ...(field.anyOf ?? [])].some((one) => one.default !== undefined),
      )
      .map(([name]) => [...path, name].join('/')),
  )

/** A body that names one of its objects, with all its parts. */
export const fullAt = (body: JsonSchema, field: string): Parts => ({
  [field]: fullOf(innerObjectsOf(body).find(({ path }) => path.join() === field)!.schema),
})

/** An object with all its parts, none of them as it is by default if that can be helped. */
function fullOf(schema: JsonSchema): Record<string, unknown> {
  const { properties } = schema
  if (properties === undefined || schema['x-patched'] === 'whole') {
    const example = exampleOf(schema, {}) as Record<string, unknown>
    return properties ? example : { ...example, another: Object.values(example)[0] }
  }
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, valueOf(field)]),
  )
}

function valueOf(schema: JsonSchema): unknown {
  const option = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
  if (option.type === 'object') return option.examples ? exampleOf(option, {}) : fullOf(option)
  if (option.type === 'boolean') return true
  if (option.enum) return option.enum.at(-1)
  return option.minimum ?? exampleOf(option, {})
}

type Parts = Readonly<Record<string, unknown>>

export const partAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((parts, name) => (parts as Parts | null)?.[name], value)

/** A copy without what stands at the path. */
export function withoutPart(value: Parts, [name, ...rest]: readonly string[]): Parts {
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, inside]) => {
      if (field !== name) return [[field, inside]]
      return rest.length === 0 ? [] : [[field, withoutPart(inside as Parts, rest)]]
    }),
  )
}
