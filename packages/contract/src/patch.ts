import { type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { nullable, strict } from './shared.ts'

const INSIDE =
  'A PATCH changes what it names and keeps the rest; null takes a part away; a list is replaced'
const WHOLE = 'A PATCH gives it whole: the parts depend on each other'

/** An object whose parts depend on each other: a PATCH that leaves some out is refused. */
export const whole = <Schema extends TSchema>(schema: Schema): Schema =>
  withKeywords(schema, { 'x-patched': 'whole', description: said(schema, WHOLE) })

/**
 * The body of a PATCH (RFC 7396): every field may be left out, and stays as it is; so do the parts of an object
 * inside. Without defaults: what is not named is not touched.
 */
export const patchOf = <Properties extends TProperties>(fields: Properties) =>
  Type.Partial(strict(mapFields(fields, changing) as Properties), { additionalProperties: false })

const mapFields = (fields: TProperties, map: (field: TSchema) => TSchema): TProperties =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field)]))

const said = ({ description }: TSchema & { description?: string }, more: string): string =>
  description === undefined ? more : `${description}. ${more}`

interface Shape {
  readonly anyOf?: readonly TSchema[]
  readonly properties?: TProperties
  readonly patternProperties?: TProperties
  readonly 'x-patched'?: 'whole' | 'merged'
}

/** The same schema for a value that is changed in part. */
function changing(schema: TSchema): TSchema {
  const shape = schema as TSchema & Shape
  if (shape['x-patched'] === 'whole') return schema
  if (shape.anyOf) return withKeywords(schema, { anyOf: shape.anyOf.map(changing) })
  const merged = { 'x-patched': 'merged', description: said(schema, INSIDE) }
  if (shape.properties) return withKeywords(partial(schema as TObject), merged)
  if (shape.patternProperties) {
    const patternProperties = mapFields(shape.patternProperties, (field) =>
      nullable(changing(field)),
    )
    return withKeywords(schema, { ...merged, patternProperties })
  }
  return withKeywords(schema, { default: undefined })
}

/** What may be absent may be taken away. */
function partial(schema: TObject): TSchema {
  const fields = mapFields(schema.properties, (field) => {
    const changed = changing(field)
    return Type.IsOptional(field) && !allowsNull(field) ? nullable(changed) : changed
  })
  return withKeywords(schema, { ...Type.Partial(Type.Object(fields)), required: undefined })
}

const allowsNull = (schema: TSchema) =>
  (schema as Shape).anyOf?.some((one) => Type.IsNull(one)) ?? false

/** A copy with other keywords; what TypeBox keeps beside the keywords stays. */
const withKeywords = <Schema extends TSchema>(schema: Schema, keywords: object): Schema => {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))
  for (const [name, value] of Object.entries(keywords)) {
    if (value === undefined) delete copy[name as never]
    else
      Object.defineProperty(copy, name, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      })
  }
  return copy as Schema
}
