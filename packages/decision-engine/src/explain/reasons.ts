/** The gates in the order in which a decision asks them, each with what it can say no with. */
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
  placement: ['not-linked', 'placement-not-active', 'other-mode', 'size', 'format', 'currency'],
  /** Blocklists and approval; then what is already on the page. */
  site: [
    'advertiser-blocked',
    'ad-product-blocked',
    'not-approved',
    'campaign-on-page',
    'banner-on-page',
  ],
  targeting: [
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
  ],
  frequency: ['ad-frequency', 'campaign-frequency', 'advertiser-frequency'],
  /** Budget and pacing. */
  budget: ['exhausted', 'ahead-of-plan'],
  /** Score, auction, slot fill, reservation. */
  auction: ['below-floor', 'outbid', 'slots-full', 'reservation-refused'],
} as const

export type GateName = keyof typeof GATE_REASONS

export type Reason = 'passed' | (typeof GATE_REASONS)[GateName][number]

/**
 * Why a candidate was not shown, in the order of the gates. A reason is a number on the decision
 * path and a word everywhere else.
 */
export const REASONS: readonly Reason[] = ['passed', ...Object.values(GATE_REASONS).flat()]

/** Which gate a reason belongs to. */
export const GATE_OF = new Map<Reason, GateName>(
  Object.entries(GATE_REASONS).flatMap(([gate, reasons]) =>
    reasons.map((reason) => [reason, gate as GateName] as const),
  ),
)

type ReasonCode = { readonly [R in Reason]: number }

/** The number of a reason on the decision path. */
export const CODE = Object.fromEntries(REASONS.map((reason, code) => [reason, code])) as ReasonCode

export const PASSED = 0
