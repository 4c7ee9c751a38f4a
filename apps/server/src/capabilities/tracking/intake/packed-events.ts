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

/** The values of one event, in the order of the fields. */
type Row = readonly unknown[]

interface Packed {
  /** Which value is which: another release may know other fields. */
  readonly fields: readonly string[]
  readonly rows: readonly Row[]
}

/** Many events as one text, each field named once. */
export function packEvents(events: readonly TrackedEvent[]): string {
  return JSON.stringify({ fields: FIELDS, rows: events.map(rowOf) } satisfies Packed)
}

/** Written out, as is the way back: a field that is looked up by its name costs ten times as much. */
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

/** All have all fields, so that whoever reads many of them finds each in the same place. */
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
