import { AMOUNT_MICROS_MAX } from '@placard/money'
import { Type, type TProperties, type TSchema } from 'typebox'

export const Uuid = Type.String({ format: 'uuid', description: 'A public id (uuid v7)' })

/** Whole years, seconds below 60, an offset in full: what every part of the program reads alike. */
const INSTANT =
  '^[12]\\d{3}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)$'

export const instantLike = (example: string) =>
  Type.String({
    format: 'date-time',
    pattern: INSTANT,
    description: 'An instant, RFC 3339',
    examples: [example],
  })

export const Instant = instantLike('2030-01-01T00:00:00Z')

const AMOUNT_DIGITS = String(AMOUNT_MICROS_MAX).length
const AMOUNT = `^[0-9]{1,${AMOUNT_DIGITS}}$`
const POSITIVE_AMOUNT = `^[1-9][0-9]{0,${AMOUNT_DIGITS - 1}}$`

/** What an answer says where text does not have the form that a pattern asks for. */
export const PATTERN_WORDS: Readonly<Record<string, string>> = {
  [AMOUNT]: `must be whole micros as text, from "0" to "${AMOUNT_MICROS_MAX}"`,
  [POSITIVE_AMOUNT]: `must be whole micros as text, from "1" to "${AMOUNT_MICROS_MAX}"`,
}

/** An amount that somebody gives: at most what the engine, the database and every sum can carry. */
export const Amount = Type.String({
  pattern: AMOUNT,
  description: `Money in millionths of the currency, at most ${AMOUNT_MICROS_MAX}: "1250000" is 1.25`,
  examples: ['1250000'],
})

/** The same, and more than nothing. */
export const positiveAmount = (description: string, example: string) =>
  Type.String({
    pattern: POSITIVE_AMOUNT,
    description: `${description}; at most ${AMOUNT_MICROS_MAX}`,
    examples: [example],
  })

/** An amount in an answer; sums may be larger than what can be given. A JSON number loses whole units above 2^53. */
export const MicrosText = Type.String({
  pattern: '^[0-9]+$',
  description: 'Money in millionths of the currency: "1250000" is 1.25',
  examples: ['1250000'],
})

export const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217',
  examples: ['EUR'],
})
export const Country = Type.String({
  pattern: '^[A-Z]{2}$',
  format: 'country',
  description: 'ISO 3166-1 alpha-2, an assigned code',
  examples: ['DE'],
})
export const TimeZone = Type.String({
  format: 'time-zone',
  maxLength: 64,
  description: 'IANA time zone',
  examples: ['Europe/Berlin'],
})

/** Text that people type and read: bounded, without control characters. */
export const textOf = (maxLength: number, example = 'Autumn sale') =>
  Type.String({ minLength: 1, maxLength, format: 'plain-text', examples: [example] })

export const Name = textOf(255)
export const WebUrl = Type.String({
  format: 'web-url',
  maxLength: 2_048,
  description: 'An http or https address',
  examples: ['https://shop.example/autumn'],
})

/** Where a click leads. */
export const LinkUrl = Type.String({
  format: 'link-url',
  maxLength: 2_048,
  description: 'An http or https address, or one of another scheme that the operator allows',
  examples: ['https://shop.example/autumn'],
})

export const nullable = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description ? { description } : {})

export const oneOf = <const Value extends string>(values: readonly [Value, ...Value[]]) =>
  Type.Enum([...values], { examples: [values[0]] })

/** Who sells. What decides what is paid, or who goes first, is theirs to write; others propose it. */
export const SELLERS = ['operator', 'ad-ops'] as const

/** What makes a field the seller's, where it is not always so. */
export type Condition = 'booked'

interface SellerOptions {
  /** `booked`: once the campaign has a banner booked on a placement. */
  readonly when?: Condition
}

/**
 * A field that only the seller writes. From anybody else a value is kept as a proposal, which ad
 * operations accept or decline.
 */
export const bySeller = <Schema extends TSchema>(schema: Schema, { when }: SellerOptions = {}) =>
  Object.defineProperties(
    { 'x-written-by': SELLERS, ...(when && { 'x-written-by-when': when }) },
    Object.getOwnPropertyDescriptors(schema),
  ) as unknown as Schema

/** What a request may carry: nothing but the named fields. */
export const strict = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

/** A page of rows; `nextCursor` is absent on the last one. */
export const pageOf = <Schema extends TSchema>(row: Schema) =>
  Type.Object({ items: Type.Array(row), nextCursor: Type.Optional(Type.String()) })

export const PAGE_QUERY = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Rows per page' }),
  ),
  cursor: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,2000}$',
      description: 'From `nextCursor` of the page before',
    }),
  ),
}

/** A filter on a text column: the text must be one that the column can hold. */
export const filterText = (maxLength: number, example?: string) =>
  Type.String({ maxLength, format: 'plain-text', ...(example && { examples: [example] }) })

export const Search = Type.String({
  maxLength: 200,
  format: 'plain-text',
  description: 'Words or their beginnings',
})

export const ProblemDocument = Type.Object(
  {
    type: Type.String(),
    code: Type.String({ description: 'Stable; docs/reference/problems.md explains each' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.Optional(Type.String()),
    faults: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
    instance: Type.String(),
  },
  { description: 'RFC 9457 problem details' },
)

export const Health = Type.Object({
  status: Type.String(),
  queue: Type.Optional(Type.String()),
  uptime: Type.Optional(Type.Integer({ description: 'Seconds' })),
  geoIp: Type.Optional(
    Type.Object({
      builtAt: Type.String({ description: 'When the Geo-IP file in use was made' }),
      ageDays: Type.Integer(),
      isBundled: Type.Boolean({ description: 'The one that comes along' }),
    }),
  ),
  capsOff: Type.Optional(
    Type.Boolean({
      description: 'Frequency caps are not enforced: Redis is away, or is being filled again',
    }),
  ),
  checks: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
})

/** What every managed row shows. */
export const ROW_FIELDS = {
  id: Uuid,
  version: Type.Integer(),
  createdAt: Instant,
  updatedAt: Instant,
}
export const DELETED_AT = { deletedAt: nullable(Instant) }
