import Ajv, { type Options } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'

const OPTIONS: Options = { allErrors: true, useDefaults: true, strict: false }

/**
 * All faults of a request are found at once. Queries and paths are text, so "20" may become 20
 * there; a body is JSON and must already have the right types.
 */
export function validateRequests(http: FastifyInstance): void {
  const forBodies = addFormats.default(new Ajv.Ajv(OPTIONS))
  const forText = addFormats.default(new Ajv.Ajv({ ...OPTIONS, coerceTypes: true }))

  for (const [name, check] of Object.entries(OWN_FORMATS)) {
    forBodies.addFormat(name, check)
    forText.addFormat(name, check)
  }
  http.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? forBodies : forText).compile(schema as object),
  )
}

/** Formats of the contract that JSON Schema does not know by itself. */
const OWN_FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'time-zone': isTimeZone,
  'web-url': isWebUrl,
  'plain-text': (text) => !HIDDEN_CHARACTERS.test(text),
}

/** What is sent was checked when it came in: replies need the names only. */
export const KNOWN_FORMATS = Object.fromEntries(
  Object.keys(OWN_FORMATS).map((name) => [name, true as const]),
)

function isTimeZone(text: string): boolean {
  try {
    return Intl.DateTimeFormat(undefined, { timeZone: text }) && /^[A-Za-z]/.test(text)
  } catch {
    return false
  }
}

/** Only http and https: other schemes can run code in the page that shows the link. */
function isWebUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || HIDDEN_CHARACTERS.test(text)) return false
  return URL.canParse(text)
}

// Control characters, lone surrogates and direction overrides: PostgreSQL refuses some, people are fooled by others.
const HIDDEN_CHARACTERS =
  // oxlint-disable-next-line no-control-regex -- these are the characters to refuse
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
