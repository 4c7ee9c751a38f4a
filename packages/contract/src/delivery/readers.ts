import { Type } from 'typebox'
import {
  ContentCategoryId,
  Country,
  filterText,
  Instant,
  oneOf,
  strict,
  textOf,
} from '../shared.ts'
import { SEGMENT_LENGTH_MAX, SEGMENT_PATTERN, SEGMENTS_MAX } from './segments.ts'

export const UserId = Type.String({
  minLength: 1,
  maxLength: 200,
  format: 'plain-text',
  description: "The caller's own id of the user; kept as a keyed hash only",
  examples: ['4b7c0f0e-5d0f-4f0a-9d7e-0f6f3c1f2a11'],
})
const Segment = Type.String({
  minLength: 1,
  maxLength: SEGMENT_LENGTH_MAX,
  pattern: SEGMENT_PATTERN,
  examples: ['high-intent'],
})
const Segments = Type.Array(Segment, { maxItems: SEGMENTS_MAX, uniqueItems: true })
const Categories = Type.Array(ContentCategoryId, { maxItems: 64, uniqueItems: true })

/** What a publisher's server may say about a reader. The same fields from a browser are ignored. */
export const ReaderStatement = {
  device: Type.Optional(oneOf(['mobile', 'tablet', 'desktop'])),
  country: Type.Optional(Country),
  language: Type.Optional(filterText(35, 'de-AT')),
  segments: Type.Optional(Segments),
  loggedIn: Type.Optional(Type.Boolean({ examples: [true] })),
  newVisitor: Type.Optional(Type.Boolean({ examples: [false] })),
  referrerDomain: Type.Optional(filterText(253, 'search.example')),
  lastPurchaseDaysAgo: Type.Optional(Type.Integer({ minimum: 0, maximum: 36_500, examples: [3] })),
  categories: Type.Optional(Categories),
}

/** For a platform's caller; a publisher's own callers need not name it. */
export const PublisherId = Type.String({
  format: 'uuid',
  description:
    'Whose user this is. Default: your own publisher; for a key of the platform the default publisher',
  examples: ['01990000-0000-7000-8000-000000000006'],
})
export const OfPublisher = strict({ publisherId: Type.Optional(PublisherId) })

export const CreateContextToken = strict({
  ...ReaderStatement,
  publisherId: Type.Optional(PublisherId),
  userId: Type.Optional(UserId),
  deviceSessionId: Type.Optional(textOf(128, '01890000-0000-7000-8000-000000000000')),
  lifeSeconds: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 900, default: 900, description: 'At most 15 minutes' }),
  ),
})
/** As long as a statement with all its segments makes it, in plain letters. */
export const CONTEXT_TOKEN_LENGTH_MAX = 16_384
export const ContextToken = Type.Object({
  token: Type.String({
    maxLength: CONTEXT_TOKEN_LENGTH_MAX,
    description: 'Encrypted; pass it on as `contextToken`',
  }),
  expiresAt: Instant,
})

export const UserParams = Type.Object({ userKey: UserId })
export const PutSegments = strict({ segments: Segments })
export const UserSegments = Type.Object({ segments: Type.Array(Type.String()) })
