/** Fields of a campaign that only ad operations may write: always, or once it is booked. */
export const SELLERS_FIELDS = {
  always: ['source', 'priority', 'placementWishes', 'exclusionLabels'],
  booked: ['pricing', 'maxBidMicros'],
} as const

/** The hint beside such a field for a user who can only propose. */
export function hintOf(field: string, decides: boolean): string | undefined {
  if (decides) return undefined
  if (SELLERS_FIELDS.always.some((name) => name === field)) return PROPOSED
  return SELLERS_FIELDS.booked.some((name) => name === field) ? PROPOSED_WHEN_BOOKED : undefined
}

const PROPOSED = 'Ad operations decide: a change is sent to them as a proposal.'
const PROPOSED_WHEN_BOOKED = 'Once banners are booked, a change is sent to ad operations.'
