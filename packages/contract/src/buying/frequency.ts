import { Type } from 'typebox'
import { patchOf } from '../patch.ts'
import { nullable, oneOf, PAGE_QUERY, ROW_FIELDS, strict, Uuid } from '../shared.ts'

export const Window = oneOf(['Hour', 'Day', 'Week', 'Month', 'Lifetime'])
export const ImpressionsMax = Type.Integer({ minimum: 1, maximum: 1_000_000, examples: [3] })

/** Null in the example, so that an example of all fields names one target only. */
const OtherTarget = Type.Union([Type.Null(), Uuid], { examples: [null] })

/** The server checks that exactly one of the three targets is named. */
export const CreateFrequencyCap = Type.Object(
  {
    adId: Type.Optional(nullable(Uuid)),
    campaignId: Type.Optional(OtherTarget),
    advertiserId: Type.Optional(OtherTarget),
    maxImpressionsPerUser: ImpressionsMax,
    window: Type.Optional(Window),
  },
  {
    additionalProperties: false,
    description: 'Names exactly one of adId, campaignId and advertiserId',
    examples: [
      {
        adId: '01890000-0000-7000-8000-000000000000',
        maxImpressionsPerUser: 3,
        window: 'Day',
      },
    ],
  },
)
export const PatchFrequencyCap = patchOf({ maxImpressionsPerUser: ImpressionsMax, window: Window })
export const FrequencyCapQuery = strict({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 200 })),
  cursor: PAGE_QUERY.cursor,
  adId: Type.Optional(Uuid),
  campaignId: Type.Optional(Uuid),
  advertiserId: Type.Optional(Uuid),
})
export const FrequencyCap = Type.Object({
  ...ROW_FIELDS,
  adId: nullable(Uuid),
  campaignId: nullable(Uuid),
  advertiserId: nullable(Uuid),
  adName: nullable(Type.String()),
  campaignName: nullable(Type.String()),
  advertiserName: nullable(Type.String()),
  maxImpressionsPerUser: Type.Integer(),
  window: Window,
})
