import { rounded, safeDivide } from '../../reports/index.ts'

export type AlertKind = 'under-delivery' | 'exhausted-early' | 'ctr-collapse' | 'sync-failing'

/** Subject lines of alerts. */
export const TITLES: Readonly<Record<AlertKind, string>> = {
  'under-delivery': 'Campaign delivers too little',
  'exhausted-early': 'Budget spent early',
  'ctr-collapse': 'Click rate fell',
  'sync-failing': 'No figures from a channel',
}

export interface Alarm {
  readonly kind: AlertKind
  /** For people: what is wrong, and since when or compared to what. */
  readonly reason: string
}

/** A running campaign today, and in its last week. */
export interface CampaignToday {
  readonly currency: string
  readonly budgetMicros: bigint | undefined
  readonly spentMicros: bigint
  /** The part of its day that has passed, 0 to 1. */
  readonly dayShare: number
  readonly impressions: number
  readonly clicks: number
  readonly weekImpressions: number
  readonly weekClicks: number
}

/** The first quarter of a day is too short to judge. */
const JUDGED_FROM = 0.25
const UNDER_DELIVERY = 0.5
const EARLY = 0.75
const IMPRESSIONS_MIN = 1_000
const WEEK_IMPRESSIONS_MIN = 5_000
const COLLAPSE = 0.5

export function judgeCampaign(today: CampaignToday): readonly Alarm[] {
  return [judgeBudget(today), judgeCtr(today)].filter((alarm) => alarm !== undefined)
}

const percent = (share: number) => `${Math.round(share * 100)} %`
const amount = (micros: bigint, currency: string) =>
  `${(Number(micros) / 1_000_000).toFixed(2)} ${currency}`

function judgeBudget(today: CampaignToday): Alarm | undefined {
  const { budgetMicros, spentMicros, dayShare, currency } = today
  if (!budgetMicros || dayShare < JUDGED_FROM) return undefined
  const spent = Number(spentMicros) / Number(budgetMicros)
  const of = `${amount(spentMicros, currency)} of ${amount(budgetMicros, currency)}`
  if (spent >= 0.99 && dayShare < EARLY) {
    const reason = `The day’s budget is spent (${of}) after ${percent(dayShare)} of the day.`
    return { kind: 'exhausted-early', reason }
  }
  if (spent < dayShare * UNDER_DELIVERY) {
    const reason = `Only ${of} is spent (${percent(spent)}) after ${percent(dayShare)} of the day.`
    return { kind: 'under-delivery', reason }
  }
  return undefined
}

function judgeCtr(today: CampaignToday): Alarm | undefined {
  const { impressions, clicks, weekImpressions, weekClicks } = today
  if (impressions < IMPRESSIONS_MIN || weekImpressions < WEEK_IMPRESSIONS_MIN) return undefined
  const now = safeDivide(clicks, impressions)
  const before = safeDivide(weekClicks, weekImpressions)
  if (now >= before * COLLAPSE) return undefined
  const reason = `The click rate is ${rate(now)} of ${impressions} impressions today, and was ${rate(before)} in the 7 days before.`
  return { kind: 'ctr-collapse', reason }
}

const rate = (share: number) => `${rounded(share * 100, 2)} %`

const FAILING_MINUTES = 15

export function judgeSync(
  { failingSince, failure }: { readonly failingSince: Date | undefined; readonly failure: string },
  now: Date,
): readonly Alarm[] {
  if (!failingSince) return []
  const minutes = Math.floor((now.getTime() - failingSince.getTime()) / 60_000)
  if (minutes < FAILING_MINUTES) return []
  const since = minutes < 120 ? `${minutes} minutes` : `${Math.floor(minutes / 60)} hours`
  return [{ kind: 'sync-failing', reason: `No figures for ${since}: ${failure}` }]
}
