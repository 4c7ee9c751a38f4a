import type { GeoProfile as GeoProfileSchema } from '@placard/contract/geo-profile'
import type { Static } from 'typebox'

export type GeoProfile = Static<typeof GeoProfileSchema>
export type SeenSession = GeoProfile['sessions'][number]

/** A part of the timeline in one country, as fractions of its width. */
export interface Stretch {
  readonly day: string
  readonly country: string
  readonly from: number
  readonly width: number
  readonly observations: number
}

export interface SessionRow {
  readonly sessionId: string
  readonly usual: string | null
  readonly stretches: readonly Stretch[]
}

const DAY_MS = 86_400_000
export const DAYS_SHOWN = 30

/** One row per device session over the last thirty UTC days, with the countries of each day. */
export function rowsOf(sessions: readonly SeenSession[], nowMs: number): SessionRow[] {
  const firstDay = Math.floor(nowMs / DAY_MS) - DAYS_SHOWN + 1
  return sessions.map((session) => ({
    sessionId: session.device_session_id,
    usual: session.usual_connection_country,
    stretches: [...Map.groupBy(session.days, ({ day }) => day)].flatMap(([day, seen]) =>
      stretchesOf(Date.parse(day) / DAY_MS - firstDay, seen),
    ),
  }))
}

/** The countries of one day share its width by their observations. */
function stretchesOf(place: number, seen: SeenSession['days']): Stretch[] {
  if (place < 0 || place >= DAYS_SHOWN) return []
  const all = seen.reduce((sum, { observations }) => sum + observations, 0)
  let before = 0
  return seen.map(({ day, observed_country: country, observations }) => {
    const from = (place + before / all) / DAYS_SHOWN
    before += observations
    return { day, country, from, width: observations / all / DAYS_SHOWN, observations }
  })
}

/** The timeline's countries with their colours, most seen first. */
export function coloursOf(rows: readonly SessionRow[]): ReadonlyMap<string, number> {
  const seen = new Map<string, number>()
  for (const { stretches } of rows) {
    for (const { country, observations } of stretches) {
      seen.set(country, (seen.get(country) ?? 0) + observations)
    }
  }
  const ordered = [...seen].toSorted(([, one], [, other]) => other - one)
  return new Map(ordered.map(([country], place) => [country, place]))
}

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

/** `DE` → `Germany`. `ZZ` is an unknown country. */
export function sayCountry(code: string | null | undefined): string {
  if (!code) return 'Not declared'
  return code === 'ZZ' ? 'Unknown' : (names.of(code) ?? code)
}
