import { Money } from '../../ui/format/amounts.tsx'
import { readMoney, sayCount, sayMoney, sayPercent, sayShortCount } from '../../ui/format/format.ts'

const COSTS = new Set(['cpm', 'cpc', 'costPerView', 'costPerCheckout', 'costPerPurchase'])
const SHARES = new Set([
  'ctr',
  'viewRate',
  'checkoutRate',
  'purchaseRate',
  'conversionRate',
  'completionRate',
])

export const isAmount = (metric: string): boolean => metric.endsWith('Micros') || COSTS.has(metric)

interface FigureProps {
  readonly metric: string
  readonly value: number | string | null | undefined
  readonly currency: string
}

/** A metric of a row, formatted. */
export function Figure({ metric, value, currency }: FigureProps) {
  if (value === null || value === undefined) return <span className="text-ink-faint">—</span>
  if (metric.endsWith('Micros')) return <Money micros={String(value)} currency={currency} />
  if (COSTS.has(metric)) return <Money micros={microsOf(Number(value))} currency={currency} />
  return <span className="figures">{sayNumber(metric, Number(value))}</span>
}

/** Costs are amounts of the currency with its cents. */
const microsOf = (amount: number) => readMoney(amount.toFixed(2)) ?? '0'

function sayNumber(metric: string, value: number): string {
  if (SHARES.has(metric)) return sayPercent(value)
  if (metric === 'roas') return `${value.toFixed(2)}×`
  return value < 10_000 ? sayCount(value) : sayShortCount(value)
}

/** The same for the axis of a chart. */
export function sayFigure(metric: string, value: number, currency: string): string {
  if (metric.endsWith('Micros')) return sayMoney(String(Math.round(value)), currency)
  return isAmount(metric) ? sayMoney(microsOf(value), currency) : sayNumber(metric, value)
}
