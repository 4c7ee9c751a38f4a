import { type SerializerFactory, SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyBaseLogger } from 'fastify'

const buildSerializers = SerializerSelector()

/**
 * Compiles the schema of a reply on first use. A reply with a value that does not fit its schema is still sent: one
 * wrong row must not fail the whole list.
 */
export const serializersOf =
  (log: Pick<FastifyBaseLogger, 'warn'>): SerializerFactory =>
  (schemas, options) => {
    const compile = buildSerializers(schemas, options)
    return (route) => {
      let serialize: ReturnType<typeof compile> | undefined
      return (reply) => {
        serialize ??= compile(route)
        try {
          return serialize(reply)
        } catch (error) {
          const { method, url, schema } = route
          log.warn({ err: error, method, url }, 'an answer does not fit its description')
          return JSON.stringify(declaredParts(schema as Described, reply))
        }
      }
    }
  }

/** What matters here of a schema. */
interface Described {
  readonly anyOf?: readonly Described[]
  readonly properties?: Readonly<Record<string, Described>>
  readonly additionalProperties?: boolean | Described
  readonly patternProperties?: Readonly<Record<string, Described>>
  readonly items?: Described
}

/** The fields of a reply that its schema declares, whatever their values. */
export function declaredParts(schema: Described | undefined, value: unknown): unknown {
  if (schema === undefined || typeof value !== 'object' || value === null) return value
  if (schema.anyOf) return declaredParts(optionFor(schema.anyOf, value), value)
  if (Array.isArray(value)) return value.map((item) => declaredParts(schema.items, item))
  const { properties = {}, additionalProperties, patternProperties } = schema
  const isOpen = additionalProperties !== undefined || patternProperties !== undefined
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isOpen || name in properties)
      .map(([name, part]) => [name, declaredParts(properties[name], part)]),
  )
}

const optionFor = (options: readonly Described[], value: object) =>
  options.find(({ items, properties }) => (Array.isArray(value) ? items : properties) !== undefined)
