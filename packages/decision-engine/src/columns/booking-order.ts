import { BANNER, CAMPAIGN, type DecisionIndex, CANDIDATE, CANDIDATE_COLD } from './catalogue.ts'

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

export function campaignPriority(index: DecisionIndex, candidate: number): number {
  const campaign = index.candidates.i32[candidate * CANDIDATE.width * 2 + CANDIDATE.campaign]!
  return index.campaigns.i32[campaign * CAMPAIGN.width * 2 + CAMPAIGN.priority]!
}

function bannerPriority(index: DecisionIndex, candidate: number): number {
  const banner = index.candidates.i32[candidate * CANDIDATE.width * 2 + CANDIDATE.banner]!
  return index.banners.i32[banner * BANNER.width * 2 + BANNER.priority]!
}

const keyOf = (index: DecisionIndex, candidate: number) =>
  index.candidatesCold.f64[candidate * CANDIDATE_COLD.width + CANDIDATE_COLD.key]!
