import { Type } from 'typebox'
import {
  Currency,
  DELETED_AT,
  MicrosText,
  Name,
  nullable,
  oneOf,
  PAGE_QUERY,
  ROW_FIELDS,
  strict,
  textOf,
  TimeZone,
  Uuid,
} from './shared.ts'

const search = Type.Optional(
  Type.String({ maxLength: 200, description: 'Words or their beginnings' }),
)
const includeDeleted = Type.Optional(Type.Boolean({ default: false }))

const advertiserFields = {
  name: Name,
  contact: Type.Optional(nullable(textOf(255, 'ads@northwind.example'))),
  timeZone: Type.Optional(TimeZone),
  budgetDailyMicros: Type.Optional(nullable(MicrosText)),
}

export const CreateAdvertiser = strict({ ...advertiserFields, accountId: Uuid, currency: Currency })
export const PatchAdvertiser = Type.Partial(strict(advertiserFields), {
  additionalProperties: false,
})
export const AdvertiserQuery = strict({
  ...PAGE_QUERY,
  search,
  includeDeleted,
  accountId: Type.Optional(Uuid),
  sort: Type.Optional(oneOf(['-createdAt', 'createdAt', 'name', '-name'])),
})
export const Advertiser = Type.Object({
  ...ROW_FIELDS,
  ...DELETED_AT,
  accountId: Uuid,
  name: Name,
  contact: nullable(Type.String()),
  currency: Currency,
  timeZone: TimeZone,
  budgetDailyMicros: nullable(MicrosText),
  isHouse: Type.Boolean(),
})
