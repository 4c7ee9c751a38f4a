import type { TObject } from 'typebox'
import { httpProblems } from '../http/problems.ts'
import { Problem, type Fault } from '../problem.ts'
import type { Values } from './codec.ts'

/** Fields of a patch as they will be stored: an object keeps the parts that the patch does not name. */
export function mergePatch(
  { properties }: Pick<TObject, 'properties'>,
  { row, changes }: { row: Values; changes: Values },
): Values {
  const merged = Object.entries(changes).map(([field, value]) => {
    const schema = objectIn(properties[field])
    if (schema?.['x-patched'] !== 'merged') return [field, value]
    const parts = mergeObjects(row[field], value)
    refuseTooMany(schema, { field, parts })
    return [field, parts]
  })
  return Object.fromEntries(merged)
}

/** RFC 7396: null takes a part away, a list is replaced, an object is merged in turn. */
export function mergeObjects(stored: unknown, given: unknown): unknown {
  if (!isObject(given)) return given
  const kept = isObject(stored) ? stored : {}
  const parts = Object.entries({ ...kept, ...given }).flatMap(([name, value]) => {
    if (!Object.hasOwn(given, name)) return [[name, value]]
    return given[name] === null ? [] : [[name, mergeObjects(kept[name], given[name])]]
  })
  return Object.fromEntries(parts)
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface Merged {
  readonly type?: unknown
  readonly anyOf?: readonly Merged[]
  readonly maxProperties?: number
  readonly 'x-patched'?: string
}

/** The object that a field is, if it is one or null. */
function objectIn(schema: Merged | undefined): Merged | undefined {
  return schema?.anyOf?.find(({ type }) => type === 'object') ?? schema
}

/** A patch within the limit may still add to what is there. */
function refuseTooMany(
  { maxProperties = Number.POSITIVE_INFINITY }: Merged,
  { field, parts }: { field: string; parts: unknown },
): void {
  if (!isObject(parts) || Object.keys(parts).length <= maxProperties) return
  const fault: Fault = {
    path: `body/${field}`,
    message: `must have at most ${maxProperties} parts`,
  }
  throw new Problem(httpProblems.invalidRequest, 'The body is not valid.', [fault])
}
