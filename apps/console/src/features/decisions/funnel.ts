/** How many candidates were left after each group of gates. Pure. */

export interface ReasonCount {
  readonly reason: string
  readonly count: number
  readonly text: string
}

export interface Stage {
  readonly name: string
  /** How many came this far, and how many went on. */
  readonly came: number
  readonly left: number
  readonly stopped: readonly ReasonCount[]
}

/** The gates in the order in which a decision asks them. */
const GATES: readonly (readonly [name: string, reasons: readonly string[]])[] = [
  [
    'Switched on and in time',
    [
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
  ],
  [
    'Fits the placement',
    ['not-linked', 'placement-not-active', 'other-mode', 'size', 'format', 'currency'],
  ],
  [
    'Welcome on the site',
    [
      'advertiser-blocked',
      'ad-product-blocked',
      'not-approved',
      'campaign-on-page',
      'banner-on-page',
    ],
  ],
  [
    'Meant for this reader',
    [
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
  ],
  ['Not seen too often', ['ad-frequency', 'campaign-frequency', 'advertiser-frequency']],
  ['Has budget now', ['exhausted', 'ahead-of-plan']],
  ['Wins the auction', ['below-floor', 'outbid', 'slots-full', 'reservation-refused']],
]

export function funnelOf(counts: readonly ReasonCount[]): Stage[] {
  let left = counts.reduce((sum, { count }) => sum + count, 0)
  const known = new Set(GATES.flatMap(([, reasons]) => reasons))
  const strangers = counts.filter(({ reason }) => !known.has(reason) && !WINNING.has(reason))
  return GATES.map(([name, reasons], place) => {
    const isLast = place === GATES.length - 1
    const stopped = counts
      .filter(({ reason }) => reasons.includes(reason))
      .concat(isLast ? strangers : [])
    const came = left
    left -= stopped.reduce((sum, { count }) => sum + count, 0)
    return { name, came, left, stopped }
  })
}

const WINNING: ReadonlySet<string> = new Set(['won', 'passed'])
