import type { GeoProfile as GeoProfileSchema } from '@placard/contract/geo-profile'
import type { Static } from 'typebox'

export type GeoProfile = Static<typeof GeoProfileSchema>
export type SeenSession = GeoProfile['sessions'][number]

/** A stretch of time in one country, in parts of the whole picture. */
export interface Stretch {
  readonly country: string
  readonly from: number
  readonly width: number
  readonly observations: number
}

export interface Lane {
  readonly sessionId: string
  readonly usual: string | null
  readonly stretches: readonly Stretch[]
}

const DAY_MS = 86_400_000
export const DAYS_SHOWN = 30
const WIDTH_MIN = 0.012

/** A lane per device session over the last thirty days; what is older begins at the edge. */
export function lanesOf(sessions: readonly SeenSession[], nowMs: number): Lane[] {
  const startMs = nowMs - DAYS_SHOWN * DAY_MS
  const placeOf = (at: string) =>
    Math.min(1, Math.max(0, (Date.parse(at) - startMs) / (nowMs - startMs)))
  return sessions.map((session) => ({
    sessionId: session.device_session_id,
    usual: session.usual_connection_country,
    stretches: session.observations_30_days.map((seen) => {
      const from = placeOf(seen.first_seen_at)
      const width = Math.max(WIDTH_MIN, placeOf(seen.last_seen_at) - from)
      return {
        country: seen.observed_country,
        from: Math.min(from, 1 - width),
        width,
        observations: seen.observations,
      }
    }),
  }))
}

/** Countries of a picture, each with its place in the palette: the most seen first. */
export function coloursOf(lanes: readonly Lane[]): ReadonlyMap<string, number> {
  const seen = new Map<string, number>()
  for (const { stretches } of lanes) {
    for (const { country, observations } of stretches) {
      seen.set(country, (seen.get(country) ?? 0) + observations)
    }
  }
  const ordered = [...seen].toSorted(([, one], [, other]) => other - one)
  return new Map(ordered.map(([country], place) => [country, place]))
}

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

/** `DE` → `Germany`; `ZZ` is what no file of countries knows. */
export function sayCountry(code: string | null | undefined): string {
  if (!code) return 'Not declared'
  return code === 'ZZ' ? 'Unknown' : (names.of(code) ?? code)
}
