import { DAY_MS } from '@placard/calendar'
import type { Source } from '@placard/decision-engine'
import type { Claims, Sealer, WinnerKeys } from '../../tracking/index.ts'
import type { Served } from './serve.ts'
import type { RecordedWinner } from '../records/record-line.ts'

/** Tracking links that the page calls for events of one banner. */
export interface ShowingLinks {
  readonly impressionUrl: string
  readonly clickUrl: string
  readonly eventToken: string
}

/** Makes the tracking links for one banner of an answer. */
export type LinkShowing = (served: Served, position: number) => ShowingLinks

/** Impression, click and conversion each have their own token; none works as another. */
export function linksUnder(address: string, sealer: Sealer, isFromPage = false): LinkShowing {
  return (served, position) =>
    linksOf({ address, sealer }, { ...claimsOf(served, position), isFromPage })
}

interface LinkTerms {
  readonly address: string
  readonly sealer: Pick<Sealer, 'seal'>
}

/** The links of a showing, the same events however often they are made. */
export function linksOf({ address, sealer }: LinkTerms, claims: Claims): ShowingLinks {
  const eventToken = sealer.seal(claims)
  return {
    impressionUrl: `${address}/t/i/${eventToken}`,
    clickUrl: `${address}/t/c/${sealer.seal({ ...claims, kind: 'click' })}`,
    eventToken,
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Only sessions that can be blocked have UUIDs. Other ids are left out of the link. */
const sessionOf = (text: string | undefined) =>
  text !== undefined && UUID.test(text) ? text.toLowerCase() : undefined

/** What a tracking link says about one banner of an answer. */
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
    // Without a reservation nobody pays, so the UTC day will do.
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
