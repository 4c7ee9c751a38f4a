import { Type } from 'typebox'
import { oneOf, Search, strict, Uuid } from './shared.ts'

export const FOUND_KINDS = [
  'campaign',
  'advertiser',
  'banner',
  'placement',
  'site',
  'publisher',
  'account',
  'user',
] as const

export const FOUND_PER_KIND_MAX = 20

export const SearchQuery = strict({
  search: Type.Unsafe<string>({
    ...Search,
    minLength: 1,
    description: 'Words or beginnings of words, or an id',
    examples: ['autumn'],
  }),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: FOUND_PER_KIND_MAX,
      default: 5,
      description: 'Rows per kind',
    }),
  ),
})
export const Found = Type.Object({
  items: Type.Array(
    Type.Object({
      kind: oneOf(FOUND_KINDS),
      id: Uuid,
      name: Type.String(),
      note: Type.String({ description: 'What tells it from others: its advertiser, its address' }),
    }),
  ),
})
