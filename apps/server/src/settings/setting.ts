import { Type, type TSchema } from 'typebox'

/** Kinds of settings, each with what the reference says about it. */

export const text = (description: string, options = {}) => Type.String({ description, ...options })
/** Never shown; people only see whether it is set. */
export const secret = (description: string, options = {}) =>
  text(description, { ...options, isSecret: true })
export const whole = (
  description: string,
  options: { minimum: number; maximum: number; default: number },
) => Type.Integer({ description, ...options })
export const choice = <const Value extends string>(
  description: string,
  values: readonly [Value, ...Value[]],
) => Type.Enum([...values], { description, default: values[0] })
export const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema)
