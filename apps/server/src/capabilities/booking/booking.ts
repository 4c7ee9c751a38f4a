import type * as contract from '@placard/contract/booking'
import type { Static } from 'typebox'
import { Problem } from '../../platform/problem.ts'

export type Booking = Static<typeof contract.CheckCampaign>
export type BookingFault = Static<typeof contract.BookingFault>
export type BookingPair = Static<typeof contract.BookingPair>
type BookedAd = NonNullable<Booking['ads']>[number]

/** The ad set of ads that name none. */
const EVERYONE = 'Everyone'

/** An ad with its place in the booking. */
export interface PlacedAd {
  readonly at: number
  readonly ad: BookedAd
}

/** The ads by the name of their ad set, in the order of the booking. */
export function adSetsOf({ ads = [] }: Booking): ReadonlyMap<string, readonly PlacedAd[]> {
  return Map.groupBy(
    ads.map((ad, at) => ({ at, ad })),
    ({ ad }) => ad.adSet ?? EVERYONE,
  )
}

const refused = (path: string, code: string, message: string): BookingFault => ({
  path,
  code,
  message,
  severity: 'refused',
  mend: null,
})

/** Fields of a campaign that a booking cannot do without. */
export function missingOf({ campaign }: Booking): BookingFault[] {
  return [
    ...(campaign.advertiserId
      ? []
      : [refused('campaign/advertiserId', 'MISSING', 'Choose the advertiser.')]),
    ...(campaign.name ? [] : [refused('campaign/name', 'MISSING', 'Give the campaign a name.')]),
  ]
}

const lacking = (path: string, message: string): BookingFault => ({
  ...refused(path, 'MISSING', message),
  severity: 'stuck',
})

/** Ad operations book what a buyer asks for. */
const noPlacement = ({ placementWishes }: Booking['campaign']): BookingFault =>
  placementWishes
    ? {
        ...lacking('placements', 'Ad operations book the placements that you ask for.'),
        severity: 'waits',
      }
    : lacking('placements', 'Choose a placement: the campaign runs only where it is booked.')

/** What a campaign runs without, but hardly on purpose. */
export function gapsOf({ campaign, ads = [], placements = [] }: Booking): BookingFault[] {
  const { budgetDailyMicros, budgetTotalMicros } = campaign
  const isUnlimited = !budgetDailyMicros && !budgetTotalMicros
  return [
    ...(ads.length === 0
      ? [lacking('ads', 'Choose a creative: without one nothing is shown.')]
      : []),
    ...(placements.length === 0 ? [noPlacement(campaign)] : []),
    ...(isUnlimited
      ? [
          {
            path: 'campaign/budgetDailyMicros',
            code: 'NO_BUDGET',
            message: 'No budget is set: only the advertiser’s daily maximum limits the spend.',
            severity: 'advice' as const,
            mend: null,
          },
        ]
      : []),
  ]
}

/** The field that a refusal of the whole campaign is about. */
const FIELD_OF: Readonly<Record<string, string>> = {
  ADVERTISER_NOT_FOUND: 'campaign/advertiserId',
  ADVERTISER_NOT_HOUSE: 'campaign/source',
  AD_BID_ABOVE_MAX: 'campaign/maxBidMicros',
  CAMPAIGN_DATE_INVALID: 'campaign/endsAt',
  CAMPAIGN_EXTERNAL_ID_EXISTS: 'campaign/externalId',
  CAMPAIGN_INVALID_TRANSITION: 'campaign/endsAt',
  CAMPAIGN_MAX_BID_REQUIRED: 'campaign/maxBidMicros',
  CONNECTION_NOT_FOUND: 'campaign/connectionId',
  CONNECTION_UNFIT: 'campaign/connectionId',
  SELLPAGE_NOT_FOUND: 'campaign/sellpageId',
  SELLPAGE_OF_ANOTHER_ADVERTISER: 'campaign/sellpageId',
}

/** A refusal of one part as faults with the field they are about. */
export function faultsOf(path: string, { kind, message, faults }: Problem): BookingFault[] {
  if (faults.length > 0) {
    return faults.map((fault) =>
      refused(fault.path.replace(/^body/, path), kind.code, `It ${fault.message}.`),
    )
  }
  return [refused(FIELD_OF[kind.code] ?? path, kind.code, sentenceOf(kind.title, message))]
}

/** The detail repeats the title, or only names a row that the reader has before them. */
function sentenceOf(title: string, detail: string): string {
  const isSentence = / .*\.$/.test(detail)
  return isSentence ? `${title}. ${detail}` : `${title}.`
}
