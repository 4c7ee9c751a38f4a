import { BANNER, CAMPAIGN, type DecisionIndex, OFFER, OFFER_COLD } from './catalogue.ts'

/** Campaign priority, display order, weight, banner priority, age. */
export function compareBookings(index: DecisionIndex, a: number, b: number): number {
  const one = index.assignments.get(a)!
  const other = index.assignments.get(b)!
  return (
    campaignPriority(index, b) - campaignPriority(index, a) ||
    one.displayOrder - other.displayOrder ||
    other.weight - one.weight ||
    bannerPriority(index, b) - bannerPriority(index, a) ||
    one.key - other.key
  )
}

/** By fallback priority, those without one last; then as bookings. */
export function compareFallbacks(index: DecisionIndex, a: number, b: number): number {
  const one = index.assignments.get(a)!.fallbackPriority ?? Number.MAX_SAFE_INTEGER
  const other = index.assignments.get(b)!.fallbackPriority ?? Number.MAX_SAFE_INTEGER
  return one - other || compareBookings(index, a, b)
}

export function compareEvergreens(index: DecisionIndex, a: number, b: number): number {
  return bannerPriority(index, b) - bannerPriority(index, a) || keyOf(index, a) - keyOf(index, b)
}

export function campaignPriority(index: DecisionIndex, offer: number): number {
  const campaign = index.offers.i32[offer * OFFER.lanes * 2 + OFFER.campaign]!
  return index.campaigns.i32[campaign * CAMPAIGN.lanes * 2 + CAMPAIGN.priority]!
}

function bannerPriority(index: DecisionIndex, offer: number): number {
  const banner = index.offers.i32[offer * OFFER.lanes * 2 + OFFER.banner]!
  return index.banners.i32[banner * BANNER.lanes * 2 + BANNER.priority]!
}

const keyOf = (index: DecisionIndex, offer: number) =>
  index.offersCold.f64[offer * OFFER_COLD.lanes + OFFER_COLD.key]!
