import { DAY_MS } from '@placard/calendar'
import type { Source } from '@placard/decision-engine'
import type { Claims, Sealer, WinnerKeys } from '../../tracking/index.ts'
import type { Served } from './serve.ts'
import type { RecordedWinner } from '../records/record-line.ts'

/** What the page of a showing calls when something happens to it. */
export interface ShowingLinks {
  readonly impressionUrl: string
  readonly clickUrl: string
  readonly eventToken: string
}

/** Makes the links of one showing of an answer. */
export type LinkShowing = (served: Served, position: number) => ShowingLinks

/** The token of a showing is not the token of its click, and neither speaks for a conversion. */
export function linksUnder(address: string, sealer: Sealer, isFromPage = false): LinkShowing {
  return (served, position) => {
    const claims = { ...claimsOf(served, position), isFromPage }
    const eventToken = sealer.seal(claims)
    return {
      impressionUrl: `${address}/t/i/${eventToken}`,
      clickUrl: `${address}/t/c/${sealer.seal({ ...claims, kind: 'click' })}`,
      eventToken,
    }
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Sessions that can be blocked here have uuids; what others call theirs has no place in a link. */
const sessionOf = (text: string | undefined) =>
  text !== undefined && UUID.test(text) ? text.toLowerCase() : undefined

/** What a link says of one banner of an answer. */
export function claimsOf(served: Served, position: number): Claims {
  const { record, showings, pageKey, deviceSessionId } = served
  const { winner, reservation, hold } = showings[position]!
  const issuedAtMs = record.decidedAt.getTime()
  const utcDay = Math.floor(issuedAtMs / DAY_MS)
  return {
    kind: 'impression',
    decisionId: record.decisionId,
    position,
    utcDay,
    // Nobody pays for what was not reserved.
    budgetDay: reservation?.day ?? utcDay,
    winner: keysOf(winner),
    placementKey: record.placementKey,
    siteKey: record.siteKey,
    pageKey,
    userKey: record.userKey,
    deviceSessionId: sessionOf(deviceSessionId),
    pricing: winner.pricing,
    chargeMicros: winner.chargeMicros,
    reservationId: reservation?.id,
    holdId: hold?.id,
    issuedAtMs,
  }
}

const SOURCES: Readonly<Record<Source, WinnerKeys['source']>> = {
  auction: 'ad',
  booking: 'assignment',
  fallback: 'assignment',
  evergreen: 'banner',
}

export const keysOf = (winner: RecordedWinner): WinnerKeys => ({
  source: SOURCES[winner.source],
  key: winner.key,
  bannerKey: winner.bannerKey,
  campaignKey: winner.campaignKey,
  advertiserKey: winner.advertiserKey,
})
