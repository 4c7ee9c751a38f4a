import { AMOUNT_MICROS_MAX } from '@placard/money'
import { Type, type TProperties, type TSchema } from 'typebox'
import { SEGMENT_PATTERN, SEGMENT_WORDS } from './delivery/segments.ts'

export const Uuid = Type.String({ format: 'uuid', description: 'A public id (uuid v7)' })

/** Full date, seconds below 60 and an explicit offset: the form that all our parsers read alike. */
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

/** What an error says when text does not match the pattern of its field. */
export const PATTERN_WORDS: Readonly<Record<string, string>> = {
  [AMOUNT]: `must be whole micros as text, from "0" to "${AMOUNT_MICROS_MAX}"`,
  [SEGMENT_PATTERN]: `must be ${SEGMENT_WORDS}`,
  [POSITIVE_AMOUNT]: `must be whole micros as text, from "1" to "${AMOUNT_MICROS_MAX}"`,
}

/** An amount in a request, small enough for the engine, the database and every sum. */
export const Amount = Type.String({
  pattern: AMOUNT,
  description: `Money in millionths of the currency, at most ${AMOUNT_MICROS_MAX}: "1250000" is 1.25`,
  examples: ['1250000'],
})

/** An amount above zero. */
export const positiveAmount = (description: string, example: string) =>
  Type.String({
    pattern: POSITIVE_AMOUNT,
    description: `${description}; at most ${AMOUNT_MICROS_MAX}`,
    examples: [example],
  })

/** An amount in an answer; sums may exceed `Amount`. Text, because a JSON number is exact only up to 2^53. */
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
/** Formats of ids that a taxonomy has. */
export const TAXONOMY_FORMATS = ['content-category', 'ad-product'] as const

/** A page's topic. */
export const ContentCategoryId = Type.String({
  format: 'content-category',
  maxLength: 32,
  description: 'An id of the IAB Content Taxonomy 3.1; `GET /api/v1/admin/content-categories`',
  examples: ['596'],
})
/** What is advertised. */
export const AdProductId = Type.String({
  format: 'ad-product',
  maxLength: 32,
  description: 'An id of the IAB Ad Product Taxonomy 2.0; `GET /api/v1/admin/ad-products`',
  examples: ['1002'],
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
  description: 'An http or https address, or another scheme that the operator allows',
  examples: ['https://shop.example/autumn'],
})

export const nullable = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description ? { description } : {})

export const oneOf = <const Value extends string>(values: readonly [Value, ...Value[]]) =>
  Type.Enum([...values], { examples: [values[0]] })

/** Roles that sell. They write the fields that decide price and precedence; others propose changes. */
export const SELLERS = ['operator', 'ad-ops'] as const

/** When a field becomes the seller's, if it is not always. */
export type Condition = 'booked'

interface SellerOptions {
  /** `booked`: once the campaign has a banner booked on a placement. */
  readonly when?: Condition
}

/**
 * A field that only the seller writes. A value from anybody else becomes a proposal, which ad
 * operations accept or decline.
 */
export const bySeller = <Schema extends TSchema>(schema: Schema, { when }: SellerOptions = {}) =>
  Object.defineProperties(
    { 'x-written-by': SELLERS, ...(when && { 'x-written-by-when': when }) },
    Object.getOwnPropertyDescriptors(schema),
  ) as unknown as Schema

/** An object that refuses unknown fields. */
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
      description: 'From `nextCursor` of the previous page',
    }),
  ),
}

/** A filter on a text column, limited to text that the column can hold. */
export const filterText = (maxLength: number, example?: string) =>
  Type.String({ maxLength, format: 'plain-text', ...(example && { examples: [example] }) })

export const Search = Type.String({
  maxLength: 200,
  format: 'plain-text',
  description: 'Words or beginnings of words',
})

/** Orders of a list of named rows. */
export const BY_NAME = oneOf(['-createdAt', 'createdAt', 'name', '-name'])

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
      isBundled: Type.Boolean({ description: 'True for the file that ships with Placard' }),
    }),
  ),
  capsOff: Type.Optional(
    Type.Boolean({
      description: 'True while frequency caps are not enforced: Redis is unavailable or refilling',
    }),
  ),
  checks: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
})

/** Fields of every managed row. */
export const ROW_FIELDS = {
  id: Uuid,
  version: Type.Integer(),
  createdAt: Instant,
  updatedAt: Instant,
}
export const DELETED_AT = { deletedAt: nullable(Instant) }
