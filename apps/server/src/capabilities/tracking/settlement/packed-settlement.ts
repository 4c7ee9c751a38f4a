import type { SettledEvent, Settlement } from './settler.ts'

/** A settlement in the form that threads exchange. */
export interface PackedSettlement extends Omit<Settlement, 'fresh'> {
  /** JSON texts of 500 events each: parsing text is faster than structured cloning. */
  readonly parts: readonly string[]
}

const PART = 500

export function packSettlement({ fresh, ...rest }: Settlement): PackedSettlement {
  const parts: string[] = []
  for (let at = 0; at < fresh.length; at += PART) {
    parts.push(JSON.stringify(fresh.slice(at, at + PART).map(rowOf)))
  }
  return { ...rest, parts }
}

const rowOf = ({ event, billing, chargedMillis }: SettledEvent) => [
  event.kind,
  event.label,
  event.pricing,
  event.campaignKey,
  event.budgetDay,
  event.reservationId,
  event.holdId,
  billing,
  chargedMillis.toString(),
]

export const unpackSettled = (part: string): SettledEvent[] =>
  (JSON.parse(part) as Row[]).map(
    ([kind, label, pricing, campaignKey, budgetDay, reservationId, holdId, billing, millis]) => ({
      event: {
        kind,
        label,
        pricing,
        campaignKey: campaignKey ?? undefined,
        budgetDay,
        reservationId: reservationId ?? undefined,
        holdId: holdId ?? undefined,
      },
      billing,
      chargedMillis: BigInt(millis),
    }),
  )

type Event = SettledEvent['event']
type Row = readonly [
  kind: Event['kind'],
  label: Event['label'],
  pricing: Event['pricing'],
  campaignKey: number | null,
  budgetDay: number,
  reservationId: string | null,
  holdId: string | null,
  billing: SettledEvent['billing'],
  millis: string,
]
