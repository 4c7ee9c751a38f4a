import type { DecisionIndex } from './catalogue.ts'

/** By campaign priority, display order, weight, banner priority, age. */
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

/** By fallback priority (without one: last), then in the order of bookings. */
export function compareFallbacks(index: DecisionIndex, a: number, b: number): number {
  const one = index.assignments.get(a)!.fallbackPriority ?? Number.MAX_SAFE_INTEGER
  const other = index.assignments.get(b)!.fallbackPriority ?? Number.MAX_SAFE_INTEGER
  return one - other || compareBookings(index, a, b)
}

export function compareEvergreens(index: DecisionIndex, a: number, b: number): number {
  return bannerPriority(index, b) - bannerPriority(index, a) || keyOf(index, a) - keyOf(index, b)
}

export function campaignPriority(index: DecisionIndex, candidate: number): number {
  const campaign = index.candidates.campaign(candidate)
  return index.campaigns.priority(campaign)
}

function bannerPriority(index: DecisionIndex, candidate: number): number {
  const banner = index.candidates.banner(candidate)
  return index.banners.priority(banner)
}

const keyOf = (index: DecisionIndex, candidate: number) => index.candidates.key(candidate)
