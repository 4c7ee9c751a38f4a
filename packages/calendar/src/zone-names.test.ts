import { expect, test } from 'vitest'
import { isZoneName, zoneNames } from './zone-names.ts'
import { ZoneClock } from './zones.ts'

test('every zone of the list has a clock', () => {
  expect(zoneNames().length).toBeGreaterThan(500)
  for (const name of zoneNames()) expect(() => new ZoneClock(name)).not.toThrow()
})

test.each(['AET', 'MIT', 'NET', 'IST', 'CET', 'US/Pacific-New', '+01:00', '', 'Factory'])(
  '"%s" is not in the list: PostgreSQL and Intl read it differently or not at all',
  (name) => expect(isZoneName(name)).toBe(false),
)

test.each(['Europe/Berlin', 'europe/berlin', 'UTC', 'Asia/Calcutta', 'US/Pacific'])(
  '%s is a zone',
  (name) => expect(isZoneName(name)).toBe(true),
)
