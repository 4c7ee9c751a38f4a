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
  pageKey: 0,
  isUnvouched: 0,
  name: 0,
} satisfies Record<keyof TrackedEvent, 0>)

/** The values of one event in the order of `FIELDS`. JSON writes `null` for a missing value. */
type Row = readonly [
  kind: Event<'kind'>,
  eventId: Event<'eventId'>,
  seenKey: Maybe<'seenKey'>,
  decisionId: Maybe<'decisionId'>,
  decisionDay: Event<'decisionDay'>,
  budgetDay: Event<'budgetDay'>,
  position: Event<'position'>,
  source: Event<'source'>,
  winnerKey: Event<'winnerKey'>,
  bannerKey: Maybe<'bannerKey'>,
  campaignKey: Maybe<'campaignKey'>,
  advertiserKey: Maybe<'advertiserKey'>,
  placementKey: Maybe<'placementKey'>,
  siteKey: Maybe<'siteKey'>,
  userKey: Maybe<'userKey'>,
  sessionId: Maybe<'sessionId'>,
  deviceType: Maybe<'deviceType'>,
  countryCode: Maybe<'countryCode'>,
  pageUrl: Maybe<'pageUrl'>,
  otherUrl: Maybe<'otherUrl'>,
  occurredAtMs: Event<'occurredAtMs'>,
  receivedAtMs: Event<'receivedAtMs'>,
  clock: Event<'clock'>,
  label: Event<'label'>,
  pricing: Event<'pricing'>,
  chargeMicros: Event<'chargeMicros'>,
  reservationId: Maybe<'reservationId'>,
  holdId: Maybe<'holdId'>,
  pageKey: Maybe<'pageKey'>,
  isUnvouched: Maybe<'isUnvouched'>,
  name: Maybe<'name'>,
]
type Event<Field extends keyof TrackedEvent> = TrackedEvent[Field]
type Maybe<Field extends keyof TrackedEvent> = TrackedEvent[Field] | null

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
  event.pageKey,
  event.isUnvouched,
  event.name,
]

export function unpackEvents(text: string): TrackedEvent[] {
  const { fields, rows } = JSON.parse(text) as Packed
  const isOurs = fields.length === FIELDS.length && fields.every((field, i) => field === FIELDS[i])
  return (isOurs ? rows : inOurOrder(fields, rows)).map(eventOf)
}

/** Rows of another release: unknown fields are dropped. */
function inOurOrder(fields: readonly string[], rows: readonly Row[]): Row[] {
  const columns = FIELDS.map((field) => fields.indexOf(field))
  return rows.map((row) => columns.map((column) => row[column]) as readonly unknown[] as Row)
}

/** Every event gets every field, so that all events share one hidden class. */
const eventOf = (row: Row): TrackedEvent => ({
  kind: row[0],
  eventId: row[1],
  seenKey: row[2] ?? undefined,
  decisionId: row[3] ?? undefined,
  decisionDay: row[4],
  budgetDay: row[5],
  position: row[6],
  source: row[7],
  winnerKey: row[8],
  bannerKey: row[9] ?? undefined,
  campaignKey: row[10] ?? undefined,
  advertiserKey: row[11] ?? undefined,
  placementKey: row[12] ?? undefined,
  siteKey: row[13] ?? undefined,
  userKey: row[14] ?? undefined,
  sessionId: row[15] ?? undefined,
  deviceType: row[16] ?? undefined,
  countryCode: row[17] ?? undefined,
  pageUrl: row[18] ?? undefined,
  otherUrl: row[19] ?? undefined,
  occurredAtMs: row[20],
  receivedAtMs: row[21],
  clock: row[22],
  label: row[23],
  pricing: row[24],
  chargeMicros: row[25],
  reservationId: row[26] ?? undefined,
  holdId: row[27] ?? undefined,
  pageKey: row[28] ?? undefined,
  isUnvouched: row[29] ?? undefined,
  name: row[30] ?? undefined,
})
