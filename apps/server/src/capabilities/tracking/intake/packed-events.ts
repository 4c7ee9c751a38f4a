import type { TrackedEvent } from './event.ts'

/** Every field of an event, in the order of a packed row. */
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

/** The values of one event in the order of `FIELDS`. */
type Row = readonly unknown[]

interface Packed {
  /** The field names, because another release may know other fields. */
  readonly fields: readonly string[]
  readonly rows: readonly Row[]
}

/** Packs events into one JSON text that names each field once. */
export function packEvents(events: readonly TrackedEvent[]): string {
  return JSON.stringify({ fields: FIELDS, rows: events.map(rowOf) } satisfies Packed)
}

/** Written out field by field: access by a computed name is ten times as slow. */
const rowOf = (event: TrackedEvent): Row => [
  event.kind,
  event.eventId,
  event.seenKey,
  event.decisionId,
  event.decisionDay,
  event.budgetDay,
  event.position,
  event.source,
  event.winnerKey,
  event.bannerKey,
  event.campaignKey,
  event.advertiserKey,
  event.placementKey,
  event.siteKey,
  event.userKey,
  event.sessionId,
  event.deviceType,
  event.countryCode,
  event.pageUrl,
  event.otherUrl,
  event.occurredAtMs,
  event.receivedAtMs,
  event.clock,
  event.label,
  event.pricing,
  event.chargeMicros,
  event.reservationId,
  event.holdId,
]

export function unpackEvents(text: string): TrackedEvent[] {
  const { fields, rows } = JSON.parse(text) as Packed
  const isOurs = fields.length === FIELDS.length && fields.every((field, i) => field === FIELDS[i])
  return rows.map(isOurs ? eventOf : (row) => eventByNames(fields, row))
}

/** Every event gets every field, so that all events share one hidden class. */
const eventOf = (row: Row): TrackedEvent => ({
  kind: row[0] as TrackedEvent['kind'],
  eventId: row[1] as TrackedEvent['eventId'],
  seenKey: (row[2] ?? undefined) as TrackedEvent['seenKey'],
  decisionId: (row[3] ?? undefined) as TrackedEvent['decisionId'],
  decisionDay: row[4] as TrackedEvent['decisionDay'],
  budgetDay: row[5] as TrackedEvent['budgetDay'],
  position: row[6] as TrackedEvent['position'],
  source: row[7] as TrackedEvent['source'],
  winnerKey: row[8] as TrackedEvent['winnerKey'],
  bannerKey: (row[9] ?? undefined) as TrackedEvent['bannerKey'],
  campaignKey: (row[10] ?? undefined) as TrackedEvent['campaignKey'],
  advertiserKey: (row[11] ?? undefined) as TrackedEvent['advertiserKey'],
  placementKey: (row[12] ?? undefined) as TrackedEvent['placementKey'],
  siteKey: (row[13] ?? undefined) as TrackedEvent['siteKey'],
  userKey: (row[14] ?? undefined) as TrackedEvent['userKey'],
  sessionId: (row[15] ?? undefined) as TrackedEvent['sessionId'],
  deviceType: (row[16] ?? undefined) as TrackedEvent['deviceType'],
  countryCode: (row[17] ?? undefined) as TrackedEvent['countryCode'],
  pageUrl: (row[18] ?? undefined) as TrackedEvent['pageUrl'],
  otherUrl: (row[19] ?? undefined) as TrackedEvent['otherUrl'],
  occurredAtMs: row[20] as TrackedEvent['occurredAtMs'],
  receivedAtMs: row[21] as TrackedEvent['receivedAtMs'],
  clock: row[22] as TrackedEvent['clock'],
  label: row[23] as TrackedEvent['label'],
  pricing: row[24] as TrackedEvent['pricing'],
  chargeMicros: row[25] as TrackedEvent['chargeMicros'],
  reservationId: (row[26] ?? undefined) as TrackedEvent['reservationId'],
  holdId: (row[27] ?? undefined) as TrackedEvent['holdId'],
})

function eventByNames(fields: readonly string[], row: Row): TrackedEvent {
  const event: Record<string, unknown> = {}
  for (let i = 0; i < fields.length; i++) if (row[i] !== null) event[fields[i]!] = row[i]
  return event as unknown as TrackedEvent
}
