import type { TrackedEvent } from './event.ts'

/** All fields there are; a field that is missing here would be lost on the way. */
const FIELDS = Object.keys({
  kind: 0,
  eventId: 0,
  seenKey: 0,
  decisionId: 0,
  decisionDay: 0,
  budgetDay: 0,
  position: 0,
  source: 0,
  winnerKey: 0,
  bannerKey: 0,
  campaignKey: 0,
  advertiserKey: 0,
  placementKey: 0,
  siteKey: 0,
  userKey: 0,
  sessionId: 0,
  deviceType: 0,
  countryCode: 0,
  pageUrl: 0,
  otherUrl: 0,
  occurredAtMs: 0,
  receivedAtMs: 0,
  clock: 0,
  label: 0,
  pricing: 0,
  chargeMicros: 0,
  reservationId: 0,
  holdId: 0,
} satisfies Record<keyof TrackedEvent, 0>) as readonly (keyof TrackedEvent)[]

interface Packed {
  /** Which value is which: another release may know other fields. */
  readonly fields: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/** Many events as one text, each field named once. */
export function packEvents(events: readonly TrackedEvent[]): string {
  const rows = events.map((event) => FIELDS.map((field) => event[field]))
  return JSON.stringify({ fields: FIELDS, rows } satisfies Packed)
}

export function unpackEvents(text: string): TrackedEvent[] {
  const { fields, rows } = JSON.parse(text) as Packed
  return rows.map((row) => {
    const event: Record<string, unknown> = {}
    for (let i = 0; i < fields.length; i++) if (row[i] !== null) event[fields[i]!] = row[i]
    return event as unknown as TrackedEvent
  })
}
