import { DAY_MS } from '@placard/calendar'
/** Attribution: which earlier clicks and views a conversion is credited to, and their shares. */

export type AttributionModel = 'last-click' | 'first-click' | 'linear'

export interface Touch {
  readonly kind: 'click' | 'view'
  readonly eventId: string
  readonly atMs: number
}

export interface AttributionTerms {
  readonly model: AttributionModel
  readonly clickWindowMs: number
  readonly viewWindowMs: number
}

export const ATTRIBUTION_DEFAULTS: AttributionTerms = {
  model: 'last-click',
  clickWindowMs: 7 * DAY_MS,
  viewWindowMs: DAY_MS,
}

export interface Credit<Touched extends Touch> {
  readonly touch: Touched
  /** Ten-thousandths. The shares of one conversion add up to 10,000. */
  readonly share: number
}

const WHOLE = 10_000

/** Views get credit only if there is no click. The id breaks ties of time. */
export function attribute<Touched extends Touch>(
  touches: readonly Touched[],
  terms: AttributionTerms & { readonly convertedAtMs: number },
): Credit<Touched>[] {
  const inWindow = touches.filter((touch) => isInWindow(touch, terms)).toSorted(byTime)
  const clicks = inWindow.filter(({ kind }) => kind === 'click')
  const counting = clicks.length > 0 ? clicks : inWindow
  if (counting.length === 0) return []

  if (terms.model === 'linear') return splitEvenly(counting)
  const touch = counting.at(terms.model === 'first-click' ? 0 : -1)!
  return [{ touch, share: WHOLE }]
}

function isInWindow(
  { kind, atMs }: Touch,
  terms: AttributionTerms & { readonly convertedAtMs: number },
): boolean {
  const agoMs = terms.convertedAtMs - atMs
  return agoMs >= 0 && agoMs <= (kind === 'click' ? terms.clickWindowMs : terms.viewWindowMs)
}

const byTime = (a: Touch, b: Touch) => a.atMs - b.atMs || (a.eventId < b.eventId ? -1 : 1)

/** Rounds down to four decimals; the last touch gets the rest. */
function splitEvenly<Touched extends Touch>(touches: readonly Touched[]): Credit<Touched>[] {
  const share = Math.floor(WHOLE / touches.length)
  const last = touches.length - 1
  return touches.map((touch, i) => ({ touch, share: i === last ? WHOLE - share * last : share }))
}
