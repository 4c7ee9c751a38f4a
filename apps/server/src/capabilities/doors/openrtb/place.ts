import type { BidRequest, Imp } from '@placard/contract/openrtb'
import { fieldAt, fieldsOf, textOf } from './fields.ts'

/** The seat of an answer where the request names no bidder for us. */
export const OWN_SEAT = 'placard'

/** One name under which an impression may mean a placement. */
export interface PlacementName {
  readonly slug: string
  /** Prebid drops a bid whose seat is no bidder of the ad unit. */
  readonly seat: string
}

/** Bidders of one impression that are looked at. */
const BIDDERS_MAX = 20

/** Every name that an impression gives, the one that counts most first. Most requests need only that. */
export function* placementNamesOf({ id, tagid, ext }: Imp): Generator<PlacementName> {
  const prebid = fieldAt(ext, 'prebid')
  const bidders = Object.entries(fieldsOf(fieldAt(prebid, 'bidder'))).slice(0, BIDDERS_MAX)
  for (const [seat, params] of bidders) yield* nameOf(fieldAt(params, 'placement'), seat)
  const seat = seatOf(bidders)
  yield* nameOf(fieldAt(ext, 'bidder', 'placement'), seat)
  yield* nameOf(fieldAt(prebid, 'storedrequest', 'id'), seat)
  yield* nameOf(tagid, seat)
  yield* nameOf(fieldAt(ext, 'gpid'), seat)
  yield* nameOf(fieldAt(ext, 'data', 'pbadslot'), seat)
  yield* nameOf(fieldAt(prebid, 'adunitcode'), seat)
  yield* nameOf(id, seat)
}

function nameOf(name: unknown, seat: string): readonly PlacementName[] {
  const slug = textOf(name)
  return slug === undefined ? [] : [{ slug, seat }]
}

/** The only bidder of an impression is us, also where its parameters name no placement. */
const seatOf = (bidders: readonly (readonly [string, unknown])[]): string =>
  bidders.length === 1 ? bidders[0]![0] : OWN_SEAT

/** The publisher that a request names: of its site, app or screen, else its stored request. */
export const publisherNameOf = ({ site, app, dooh, ext }: BidRequest): string | undefined =>
  textOf((site ?? app ?? dooh)?.publisher?.id) ??
  textOf(fieldAt(ext, 'prebid', 'storedrequest', 'id'))

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** An id of ours. Anything else is the name that an exchange gives the publisher. */
export const isOurForm = (name: string): boolean => UUID.test(name)
