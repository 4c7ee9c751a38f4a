import type { AmountChange, ChangeSetEdit } from '@placard/contract/change-sets'
import { EXCLUSION_LABELS_MAX } from '@placard/contract/campaigns'
import { DAY_MS } from '@placard/calendar'
import { AMOUNT_MICROS_MAX } from '@placard/money'
import type { Fault } from '../../platform/problem.ts'
import type { Values } from '../../platform/resources/index.ts'

/** What a change set does with one row. */
export type RowChange =
  | { readonly do: 'patch'; readonly fields: Values }
  | { readonly do: 'move'; readonly move: string }
  | { readonly do: 'archive' }
  | { readonly do: 'create'; readonly fields: Values }

/** A change, or why the row cannot have it. */
export type Planned = RowChange | { readonly do: 'refuse'; readonly reason: string }

const AMOUNTS = {
  budgetDaily: { field: 'budgetDailyMicros', words: 'Daily budget' },
  budgetTotal: { field: 'budgetTotalMicros', words: 'Total budget' },
  maxBid: { field: 'maxBidMicros', words: 'Maximum bid' },
} as const
const AMOUNT_NAMES = ['budgetDaily', 'budgetTotal', 'maxBid'] as const
const DATES = [
  { name: 'startsAt', words: 'Start' },
  { name: 'endsAt', words: 'End' },
] as const

const fault = (path: string, message: string): Fault => ({ path: `body/edit${path}`, message })

/** Every fault of an edit: parts that exclude each other, amounts without a currency. */
export function faultsIn(edit: ChangeSetEdit): Fault[] {
  const faults: Fault[] = []
  const alone = [edit.move, edit.archive || undefined, edit.bids].filter(isGiven).length
  const fields = [
    ...AMOUNT_NAMES,
    'addLabels',
    'removeLabels',
    'startsAt',
    'endsAt',
    'shiftDays',
  ] as const
  const others = fields.filter((name) => edit[name] !== undefined).length
  if (alone + Math.min(others, 1) !== 1) {
    faults.push(fault('', 'must be one of move, archive and bids, or amounts, labels and dates'))
  }
  if (edit.shiftDays !== undefined && (isGiven(edit.startsAt) || isGiven(edit.endsAt))) {
    faults.push(fault('/shiftDays', 'cannot be combined with a fixed start or end'))
  }
  for (const name of [...AMOUNT_NAMES, 'bids'] as const) {
    const message = amountFault(edit[name], name === 'bids')
    if (message !== undefined) faults.push(fault(`/${name}`, message))
  }
  return faults
}

const isGiven = (value: unknown) => value !== undefined

function amountFault(change: AmountChange | undefined, isBid: boolean): string | undefined {
  if (change === undefined) return undefined
  const { setMicros, currency, percent } = change
  if (isGiven(setMicros) === isGiven(percent)) return 'must have either setMicros or percent'
  if (setMicros === null && isBid) return 'must keep an amount'
  if (typeof setMicros !== 'string') return undefined
  if (BigInt(setMicros) === 0n) return 'must be above zero'
  return currency === undefined ? 'needs the currency of setMicros' : undefined
}

/** The change of a campaign, as the API shows it. */
export function campaignChange(edit: ChangeSetEdit, campaign: Values): Planned {
  if (edit.move !== undefined) return { do: 'move', move: edit.move }
  if (edit.archive) return { do: 'archive' }
  const fields: Values = {}
  for (const name of AMOUNT_NAMES) {
    const change = edit[name]
    if (change === undefined) continue
    const { field, words } = AMOUNTS[name]
    const after = amountAfter(change, { micros: campaign[field], currency: campaign['currency'] })
    if ('reason' in after) return { do: 'refuse', reason: `${words}: ${after.reason}` }
    fields[field] = name === 'maxBid' ? (after.micros ?? '0') : after.micros
  }
  for (const { name, words } of DATES) {
    const date = dateAfter(edit, { name, now: campaign[name] })
    if (date === 'out-of-range') return { do: 'refuse', reason: `${words}: there is no such date.` }
    if (date !== undefined) fields[name] = date
  }
  const labels = labelsAfter(edit, campaign['exclusionLabels'])
  if (labels !== undefined && labels.length > EXCLUSION_LABELS_MAX) {
    return { do: 'refuse', reason: `Labels: at most ${EXCLUSION_LABELS_MAX} are possible.` }
  }
  return { do: 'patch', fields: { ...fields, ...(labels && { exclusionLabels: labels }) } }
}

function labelsAfter(
  { addLabels = [], removeLabels = [] }: ChangeSetEdit,
  now: unknown,
): readonly string[] | undefined {
  if (addLabels.length === 0 && removeLabels.length === 0) return undefined
  const labels = Array.isArray(now) ? now.map(String) : []
  return [...new Set([...labels, ...addLabels])].filter((label) => !removeLabels.includes(label))
}

/** The change of an ad's bid. */
export function bidChange(
  change: AmountChange,
  ad: { readonly bidMicros: string; readonly currency: string },
): Planned {
  const after = amountAfter(change, { micros: ad.bidMicros, currency: ad.currency })
  if ('reason' in after) return { do: 'refuse', reason: `Bid: ${after.reason}` }
  return { do: 'patch', fields: { bidMicros: after.micros } }
}

type Amount = { readonly micros: string | null } | { readonly reason: string }

function amountAfter(
  { setMicros, currency, percent = 0 }: AmountChange,
  now: { readonly micros: unknown; readonly currency: unknown },
): Amount {
  if (setMicros === null) return { micros: null }
  if (setMicros !== undefined) {
    if (currency === now.currency) return { micros: setMicros }
    return { reason: `the amount is in ${currency}, the campaign in ${String(now.currency)}.` }
  }
  if (typeof now.micros !== 'string' || now.micros === '0') {
    return { reason: 'none is set, so a percentage changes nothing.' }
  }
  const after = byPercent(BigInt(now.micros), percent)
  return after > AMOUNT_MICROS_MAX
    ? { reason: 'the amount would be too large.' }
    : { micros: String(after) }
}

/** Hundredths of a percent, rounded down to whole micros; never nothing. */
function byPercent(micros: bigint, percent: number): bigint {
  const after = (micros * BigInt(10_000 + Math.round(percent * 100))) / 10_000n
  return after > 0n ? after : 1n
}

const EARLIEST = Date.parse('1000-01-01T00:00:00Z')
const LATEST = Date.parse('2999-12-31T23:59:59Z')

function dateAfter(
  edit: ChangeSetEdit,
  { name, now }: { name: 'startsAt' | 'endsAt'; now: unknown },
): string | null | undefined {
  if (edit[name] !== undefined) return edit[name]
  if (edit.shiftDays === undefined || typeof now !== 'string') return undefined
  const time = Date.parse(now) + edit.shiftDays * DAY_MS
  if (time < EARLIEST || time > LATEST) return 'out-of-range'
  return new Date(time).toISOString()
}

const MOVE_WORDS: Readonly<Record<string, string>> = {
  activate: 'Start',
  pause: 'Pause',
  end: 'End',
  cancel: 'Cancel',
  schedule: 'Schedule',
  unschedule: 'Back to draft',
}

/** What the edit does, in words for people. */
export function titleOf(edit: ChangeSetEdit): string {
  if (edit.move !== undefined) return MOVE_WORDS[edit.move] ?? edit.move
  if (edit.archive) return 'Archive'
  if (edit.bids) return `Bids ${sayAmount(edit.bids)}`
  const amounts = AMOUNT_NAMES.flatMap((name) => {
    const change = edit[name]
    return change ? [`${AMOUNTS[name].words} ${sayAmount(change)}`] : []
  })
  const dates = DATES.flatMap(({ name, words }) => {
    const date = edit[name]
    if (date === undefined) return []
    return [date === null ? `${words} taken away` : `${words} ${date.slice(0, 10)}`]
  })
  const labels = [
    ...(edit.addLabels?.map((label) => `+ “${label}”`) ?? []),
    ...(edit.removeLabels?.map((label) => `− “${label}”`) ?? []),
  ]
  const { shiftDays } = edit
  const shift = shiftDays === undefined ? [] : [`Dates ${signed(shiftDays)} days`]
  return [...amounts, ...labels, ...dates, ...shift].join(', ').slice(0, TITLE_CHARACTERS_MAX)
}

const TITLE_CHARACTERS_MAX = 200

function sayAmount({ setMicros, currency, percent = 0 }: AmountChange): string {
  if (setMicros === null) return 'taken away'
  if (setMicros === undefined) return `${signed(percent)} %`
  const cents = BigInt(setMicros) / 10_000n
  return `${currency} ${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
}

const signed = (amount: number) => (amount > 0 ? `+${amount}` : String(amount).replace('-', '−'))
