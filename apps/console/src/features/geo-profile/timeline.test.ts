import { expect, test } from 'vitest'
import { coloursOf, lanesOf, sayCountry } from './timeline.ts'

const NOW = Date.parse('2026-06-30T00:00:00Z')
const seen = (country: string, [from, to]: readonly [string, string], observations = 1) => ({
  observed_country: country,
  observations,
  active_hours: 1,
  first_seen_at: from,
  last_seen_at: to,
})
const session = (...observations: ReturnType<typeof seen>[]) => ({
  device_session_id: 's1',
  usual_connection_country: 'DE',
  first_seen_at: '2026-01-01T00:00:00Z',
  last_seen_at: '2026-06-30T00:00:00Z',
  ranked_countries: [],
  observations_30_days: observations,
})

test('a stretch lies where its time lies, and what is older begins at the edge', () => {
  const [lane] = lanesOf(
    [session(seen('DE', ['2026-01-01T00:00:00Z', '2026-06-15T00:00:00Z']))],
    NOW,
  )

  expect(lane.stretches).toEqual([{ country: 'DE', from: 0, width: 0.5, observations: 1 }])
})

test('a single moment can still be seen, also at the very end', () => {
  const [lane] = lanesOf(
    [session(seen('FR', ['2026-06-30T00:00:00Z', '2026-06-30T00:00:00Z']))],
    NOW,
  )
  const [{ from, width }] = lane.stretches

  expect(width).toBeGreaterThan(0)
  expect(from + width).toBeLessThanOrEqual(1)
})

test('the country that is seen most has the first colour', () => {
  const lanes = lanesOf(
    [
      session(
        seen('FR', ['2026-06-01T00:00:00Z', '2026-06-02T00:00:00Z'], 2),
        seen('DE', ['2026-06-03T00:00:00Z', '2026-06-04T00:00:00Z'], 9),
      ),
    ],
    NOW,
  )

  expect([...coloursOf(lanes)]).toEqual([
    ['DE', 0],
    ['FR', 1],
  ])
})

test('countries have names, and none is not declared', () => {
  expect(sayCountry('DE')).toBe('Germany')
  expect(sayCountry('ZZ')).toBe('Unknown')
  expect(sayCountry(null)).toBe('Not declared')
})
