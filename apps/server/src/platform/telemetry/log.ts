import type { LoggerOptions } from 'pino'

/** The format of all logs: JSON lines without secrets. */
export const logOptions = (
  level: string,
  role: string,
  names: 'numbers' | 'words' = 'numbers',
): LoggerOptions => ({
  level,
  ...(names === 'words' && { formatters: { level: (label) => ({ level: label }) } }),
  base: { role },
  redact: ['authorization', 'x-api-key', 'x-adzerk-apikey', 'x-kevel-apikey', 'cookie'].map(
    (name) => `req.headers["${name}"]`,
  ),
  serializers: { err: loggable },
})

interface LoggedError {
  readonly type: string
  readonly message: string
  readonly stack: string
  readonly code?: unknown
  readonly constraint?: unknown
  readonly cause?: LoggedError
}

/** Where and why something failed, without the values involved. */
export function loggable(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error', stack: '' }
  const { code, constraint, cause } = error as Error & { code?: unknown; constraint?: unknown }
  return {
    type: error.constructor.name,
    message: withoutValues(error.message),
    stack: withoutValues(error.stack ?? ''),
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    ...(cause instanceof Error && { cause: loggable(cause) }),
  }
}

/** Drizzle's message holds the query text and then the values. */
const withoutValues = (text: string) => text.replace(/\nparams: [\s\S]*?(?=\n {4}at |$)/, '')
