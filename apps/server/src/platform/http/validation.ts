import Ajv, { type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { strict, TAXONOMY_FORMATS } from '@placard/contract/shared'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'
import { COUNTRY, type Formats, inWords, TIME_ZONE } from './format.ts'
import { isLink } from './links.ts'
import { httpProblems } from './problems.ts'

const OPTIONS: Options = { allErrors: true, useDefaults: true, strict: false, verbose: true }

/**
 * Finds all faults of a request at once. Queries and paths are text, so "20" may become 20 there; a body
 * is JSON and must already have the right types.
 */
export function validateRequests(
  http: FastifyInstance,
  { noteUnknown, linkSchemes, formats: given = {} }: ValidationOptions,
): CompileBody {
  const forBodies = addFormats.default(new Ajv.Ajv(OPTIONS))
  const forText = addFormats.default(new Ajv.Ajv({ ...OPTIONS, coerceTypes: true }))

  const isLinkUrl = (text: string) => isPlainText(text) && isLink(text, linkSchemes)
  const formats: Formats = { ...OWN_FORMATS, 'link-url': { holds: isLinkUrl }, ...given }
  for (const [name, { holds }] of Object.entries(formats)) {
    forBodies.addFormat(name, holds)
    forText.addFormat(name, holds)
  }
  const compileBody = (schema: object) => onFirstUse(() => forBodies.compile(schema), formats)
  const compileText = (schema: object) => onFirstUse(() => forText.compile(schema), formats)
  http.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'body' ? compileBody(schema as object) : compileText(schema as object),
  )
  const compileOpen: CompileBody = (schema, url) =>
    counting(compileBody(schema), { schema, note: noteUnknown, url })
  http.addHook('onRoute', (route) => {
    if (!route.config?.ignoresUnknownFields) return
    route.validatorCompiler = ({ schema, httpPart }) =>
      httpPart === 'body' ? compileOpen(schema, route.url) : compileText(schema)
  })
  return compileOpen
}

interface ValidationOptions {
  readonly noteUnknown: NoteUnknown
  /** Schemes a click may lead to; default: the web only. */
  readonly linkSchemes?: ReadonlySet<string> | undefined
  /** Formats that capabilities define. Without them, any text holds. */
  readonly formats?: Formats | undefined
}

/** Checks a value and keeps the faults of the last call in `errors`, as Ajv does. */
interface Validator {
  (data: unknown): boolean
  errors?: ErrorObject[] | null
}

/** Compiles a schema on first use: compiling all 300 would add half a second to the start. */
function onFirstUse(compile: () => ValidateFunction, formats: Formats): Validator {
  let compiled: ValidateFunction | undefined
  const validate: Validator = (data) => {
    compiled ??= compile()
    const isValid = compiled(data)
    validate.errors = inWords(compiled.errors, formats)
    return isValid
  }
  return validate
}

/** Compiles the check of a body that ignores unknown fields; they are counted per route. */
export type CompileBody = (schema: object, url: string) => Validator

/** Called with the number of unknown fields in a request. */
export type NoteUnknown = (url: string, fields: number) => void

interface ObjectSchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, ObjectSchema>>
  readonly items?: ObjectSchema
}

interface Counting {
  readonly schema: ObjectSchema
  readonly note: NoteUnknown
  readonly url: string
}

/** Counts the fields that an open schema ignores, so that operators see them. */
function counting(validate: Validator, { schema, note, url }: Counting): Validator {
  const counted: Validator = (data) => {
    const isValid = validate(data)
    counted.errors = validate.errors ?? null
    const unknown = countUnknown(schema, data)
    if (unknown > 0) note(url, unknown)
    return isValid
  }
  return counted
}

function countUnknown({ properties, items }: ObjectSchema, data: unknown): number {
  if (typeof data !== 'object' || data === null) return 0
  let unknown = 0
  if (Array.isArray(data)) {
    if (items !== undefined) for (const item of data) unknown += countUnknown(items, item)
    return unknown
  }
  if (properties === undefined) return 0
  for (const field of Object.keys(data)) {
    const schema = properties[field]
    if (schema === undefined) unknown++
    else unknown += countUnknown(schema, (data as Record<string, unknown>)[field])
  }
  return unknown
}

/** Routes without query or body refuse everything sent there. */
export function refuseUnknownFields(http: FastifyInstance): void {
  http.addHook('onRoute', (route) => {
    const { schema, config } = route
    if (!schema || schema.hide || config?.ignoresUnknownFields) return
    schema.querystring ??= strict({})
    if (!schema.body) route.preValidation = [route.preValidation ?? []].flat().concat(refuseBody)
  })
}

async function refuseBody({ body }: FastifyRequest): Promise<void> {
  const unknown = fieldsOf(body)
  if (unknown.length === 0) return
  const faults = unknown.map((path) => ({ path, message: 'is not known here' }))
  throw new Problem(httpProblems.invalidRequest, 'This route takes no body.', faults)
}

function fieldsOf(body: unknown): string[] {
  if (body === undefined || body === null) return []
  return typeof body === 'object' ? Object.keys(body).map((field) => `body/${field}`) : ['body']
}

const OWN_FORMATS: Formats = {
  'time-zone': TIME_ZONE,
  country: COUNTRY,
  date: { holds: isDay },
  'web-url': { holds: isWebUrl },
  'link-url': { holds: isWebUrl },
  'plain-text': { holds: isPlainText },
  ...Object.fromEntries(TAXONOMY_FORMATS.map((name) => [name, { holds: () => true }])),
}

/** A calendar day of the years 1000 to 2999: the range that every part of the program can handle. */
function isDay(text: string): boolean {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(text)) return false
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

/** Replies need the names of formats only; their values were checked on the way in. */
export const KNOWN_FORMATS = Object.fromEntries(
  Object.keys(OWN_FORMATS).map((name) => [name, true as const]),
)

/** True for text that can be stored and shown unchanged. */
export function isPlainText(text: string): boolean {
  return !HIDDEN_CHARACTERS.test(text)
}

function isWebUrl(text: string): boolean {
  return isPlainText(text) && isLink(text)
}

// Control characters, lone surrogates and direction overrides: PostgreSQL refuses some, others deceive readers.
const HIDDEN_CHARACTERS =
  // oxlint-disable-next-line no-control-regex -- these are the characters to refuse
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
