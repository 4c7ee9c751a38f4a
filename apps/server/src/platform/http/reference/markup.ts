import type { Schema } from './example.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

export const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!)

/** Descriptions are plain text with `code`; an empty line starts a paragraph. */
export const prose = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((part) => `<p>${inline(part)}</p>`)
    .join('')

const inline = (text: string): string => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** Deeper nesting would lose the reader; the OpenAPI document has everything. */
const DEPTH_MAX = 4

/** Fields of an object or of the objects in a list, with type, limits and description. */
export function fieldsOf(schema: Schema, depth = 0): string {
  const { properties, required = [], items, anyOf } = schema
  if (items) return fieldsOf(items, depth)
  if (anyOf) return anyOf.map((one) => fieldsOf(one, depth)).join('')
  if (!properties || depth === DEPTH_MAX) return ''
  const rows = Object.entries(properties).map(([name, field]) =>
    fieldRow({ name, schema: field, isRequired: required.includes(name) }, depth),
  )
  return `<ul class="fields">${rows.join('')}</ul>`
}

interface Field {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
}

export function fieldRow({ name, schema, isRequired }: Field, depth = 0): string {
  const needed = isRequired ? ' <b class="needed">required</b>' : ''
  const words = schema.description ? `<br>${inline(schema.description)}` : ''
  const type = escape(typeOf(schema) + limitsOf(schema))
  return `<li><code>${escape(name)}</code> <span class="type">${type}</span>${needed}${words}${fieldsOf(schema, depth + 1)}</li>`
}

function typeOf(schema: Schema): string {
  const { type, format, enum: values, anyOf, items } = schema
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' | ')
  if (items) return `list of ${typeOf(items)}`
  const name = Array.isArray(type) ? type.join(' | ') : String(type ?? 'anything')
  return format ? `${name} (${format})` : name
}

function limitsOf(schema: Schema): string {
  const ends = [
    [schema.minimum, schema.maximum, ''],
    [schema.minLength, schema.maxLength, ' characters'],
    [schema.minItems, schema.maxItems, ' entries'],
  ] as const
  return ends
    .map(([from, to, unit]) => {
      if (from === undefined && to === undefined) return ''
      if (to === undefined) return `, at least ${from}${unit}`
      return from === undefined ? `, at most ${to}${unit}` : `, ${from} to ${to}${unit}`
    })
    .join('')
}
