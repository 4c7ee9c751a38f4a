/** Reads the parts of a request that no schema describes: `ext`, and the JSON text of a native request. */
export type Fields = Readonly<Record<string, unknown>>

/** An answer whose optional fields may be undefined: JSON leaves those out. */
export type Sent<Value> = Value extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : Value extends object
    ? {
        readonly [Name in keyof Value]:
          | Sent<Value[Name]>
          | (object extends Pick<Value, Name> ? undefined : never)
      }
    : Value

const NONE: Fields = {}

/** The fields of an object. None for everything else. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : NONE

/** The value at the end of the path. */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) found = fieldsOf(found)[name]
  return found
}

const TEXT_MAX = 500

/** A short text, or a number as text. Undefined for anything else, and for nothing. */
export function textOf(value: unknown, lengthMax = TEXT_MAX): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' && text.length <= lengthMax ? text : undefined
}

/** 1, "1" and true. */
export const isOn = (value: unknown): boolean => value === 1 || value === '1' || value === true

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
