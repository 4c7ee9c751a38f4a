/** What an explanation says when a targeting rule of this type rejects a candidate. */
export const TARGETING_TEXT = {
  device: 'the device does not match its targeting',
  country: 'the country does not match its targeting',
  user_segment: 'the user segments do not match its targeting',
  login_state: 'the login state does not match its targeting',
  language: 'the language does not match its targeting',
  hour_of_day: 'the hour of day does not match its targeting',
  day_of_week: 'the day of the week does not match its targeting',
  new_visitor: 'new or returning visitor does not match its targeting',
  referrer_domain: 'the referrer does not match its targeting',
  category: 'the page is in none of its categories, or nobody knows what it is about',
} as const

export type TargetingReason = keyof typeof TARGETING_TEXT

/** The gates in the order of a decision, each with its reasons to reject. */
export const GATE_REASONS = {
  /** Active and in flight; schedule and recurrence window. */
  time: [
    'campaign-not-active',
    'ad-not-active',
    'banner-not-active',
    'impression-cap-reached',
    'click-cap-reached',
    'before-flight',
    'after-flight',
    'banner-expired',
    'before-publish',
    'off-recurrence',
    'outside-window',
  ],
  /** Placement, type, size, format. */
  placement: [
    'not-linked',
    'placement-not-active',
    'other-mode',
    'other-publisher',
    'size',
    'format',
    'currency',
  ],
  /** Blocklists and approval; then what is already on the page. */
  site: [
    'advertiser-blocked',
    'ad-product-blocked',
    'not-approved',
    'campaign-on-page',
    'banner-on-page',
    'label-on-page',
  ],
  /** Limits of the request: sizes, formats, blocks, deals, prices. */
  request: [
    'request-size',
    'request-format',
    'request-blocked',
    'request-deal',
    'request-pricing',
    'request-floor',
    'native-asset',
    'request-video',
    'child-reader',
  ],
  targeting: Object.keys(TARGETING_TEXT) as TargetingReason[],
  frequency: ['ad-frequency', 'campaign-frequency', 'advertiser-frequency'],
  /** Budget and pacing. */
  budget: ['exhausted', 'ahead-of-plan'],
  /** Score, auction, slot fill, reservation. */
  auction: ['below-floor', 'outbid', 'slots-full', 'reservation-refused'],
} as const

export type GateName = keyof typeof GATE_REASONS

/** Why the limits of a request reject a candidate. */
export type LimitReason = (typeof GATE_REASONS)['request'][number]

export type Reason = 'passed' | (typeof GATE_REASONS)[GateName][number]

/**
 * Why a candidate was not shown, in the order of the gates. A decision uses the reason's number,
 * everything else its name.
 */
export const REASONS: readonly Reason[] = ['passed', ...Object.values(GATE_REASONS).flat()]

/** The gate that a reason belongs to. */
export const GATE_OF = new Map<Reason, GateName>(
  Object.entries(GATE_REASONS).flatMap(([gate, reasons]) =>
    reasons.map((reason) => [reason, gate as GateName] as const),
  ),
)

type ReasonCode = { readonly [R in Reason]: number }

/** The number of a reason in a decision. */
export const CODE = Object.fromEntries(REASONS.map((reason, code) => [reason, code])) as ReasonCode

export const PASSED = 0
