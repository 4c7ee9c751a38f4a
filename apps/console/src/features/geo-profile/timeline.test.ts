import { expect, test } from 'vitest'
import { coloursOf, rowsOf, sayCountry } from './timeline.ts'

const NOW = Date.parse('2026-06-30T12:00:00Z')
const seen = (day: string, country: string, observations = 1) => ({
  day,
  observed_country: country,
  observations,
})
const session = (...days: ReturnType<typeof seen>[]) => ({
  device_session_id: 's1',
  usual_connection_country: 'DE',
  first_seen_at: '2026-01-01T00:00:00Z',
  last_seen_at: '2026-06-30T00:00:00Z',
  ranked_countries: [],
  observations_30_days: [],
  days,
})

test('each day has its place on the timeline, today at the end, and older days are left out', () => {
  const [row] = rowsOf([session(seen('2026-06-30', 'DE'), seen('2026-05-01', 'FR'))], NOW)

  expect(row.stretches).toMatchObject([{ country: 'DE', observations: 1 }])
  expect(row.stretches[0].from).toBeCloseTo(29 / 30)
  expect(row.stretches[0].width).toBeCloseTo(1 / 30)
})

test('travel back and forth is shown day by day, not as a month in one country', () => {
  const days = ['27', '28', '29', '30'].map((day, place) =>
    seen(`2026-06-${day}`, place % 2 ? 'FR' : 'DE'),
  )
  const [row] = rowsOf([session(...days)], NOW)

  expect(row.stretches.map(({ country }) => country)).toEqual(['DE', 'FR', 'DE', 'FR'])
})

test('two countries of one day share its width by their observations', () => {
  const [row] = rowsOf([session(seen('2026-06-30', 'DE', 3), seen('2026-06-30', 'FR', 1))], NOW)
  const [most, least] = row.stretches

  expect(most.width).toBeCloseTo(3 * least.width)
  expect(least.from).toBeCloseTo(most.from + most.width)
})

test('the most seen country has the first colour', () => {
  const rows = rowsOf([session(seen('2026-06-01', 'FR', 2), seen('2026-06-03', 'DE', 9))], NOW)

  expect([...coloursOf(rows)]).toEqual([
    ['DE', 0],
    ['FR', 1],
  ])
})

test('a country code has a name, and no code means not declared', () => {
  expect(sayCountry('DE')).toBe('Germany')
  expect(sayCountry('ZZ')).toBe('Unknown')
  expect(sayCountry(null)).toBe('Not declared')
})
