/** The parts of a JSON schema that the reference shows. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '0197734c-1a00-7abc-8def-0123456789ab',
  date: '2030-01-01',
  'date-time': '2030-01-01T00:00:00Z',
  email: 'ada@example.com',
  uri: 'https://shop.example/',
}

/** An example value: the schema's own, or one built from its parts. */
export function exampleOf(schema: Schema): unknown {
  const { examples, enum: values, anyOf, properties } = schema
  if (examples?.length) return examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (values?.length) return values[0]
  if (anyOf?.length) return exampleOf(anyOf[0]!)
  if (properties) return exampleObject(properties, schema.required ?? [])
  return plainExample(schema)
}

function exampleObject(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): object {
  const entries = Object.entries(properties).filter(([name]) => required.includes(name))
  return Object.fromEntries(entries.map(([name, schema]) => [name, exampleOf(schema)]))
}

function plainExample({ type, items, format, minimum }: Schema): unknown {
  switch (Array.isArray(type) ? type[0] : type) {
    case 'array':
      return items ? [exampleOf(items)] : []
    case 'integer':
    case 'number':
      return minimum ?? 1
    case 'boolean':
      return true
    case 'object':
      return {}
    default:
      return BY_FORMAT[format ?? ''] ?? 'text'
  }
}
