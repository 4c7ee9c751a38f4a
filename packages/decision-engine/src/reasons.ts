/**
 * Why a candidate was not shown, in the order of the gates. A reason is a number on the decision
 * path and a word everywhere else.
 */
export const REASONS = [
  'passed',
  // Active and in flight.
  'campaign-not-active',
  'ad-not-active',
  'banner-not-active',
  'impression-cap-reached',
  'click-cap-reached',
  'before-flight',
  'after-flight',
  // Schedule and recurrence window.
  'banner-expired',
  'before-publish',
  'off-recurrence',
  'outside-window',
  // Placement, type, size, format.
  'not-linked',
  'placement-not-active',
  'other-mode',
  'size',
  'format',
  'currency',
  // Blocklists and approval; then what is already on the page.
  'advertiser-blocked',
  'ad-product-blocked',
  'not-approved',
  'campaign-on-page',
  'banner-on-page',
  // Targeting.
  'device',
  'country',
  'user_segment',
  'login_state',
  'language',
  'hour_of_day',
  'day_of_week',
  'new_visitor',
  'referrer_domain',
  'category',
  // Frequency caps.
  'ad-frequency',
  'campaign-frequency',
  'advertiser-frequency',
  // Budget and pacing.
  'exhausted',
  'ahead-of-plan',
  // Score, auction, slot fill, reservation.
  'below-floor',
  'outbid',
  'slots-full',
  'reservation-refused',
] as const

export type Reason = (typeof REASONS)[number]

type ReasonCode = { readonly [R in Reason]: number }

/** The number of a reason on the decision path. */
export const CODE = Object.fromEntries(REASONS.map((reason, code) => [reason, code])) as ReasonCode

export const PASSED = 0
