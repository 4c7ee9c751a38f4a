import { expect, test } from 'vitest'
import { fixedClock, seededChance } from '../../testing/fixed.ts'
import { createCounters } from './memory-counters.ts'

const DAY_CAP = { scope: 'ad', key: 7, window: 'Day', impressionsMax: 1 } as const

test('fifty parallel requests of one user under a cap of one hold exactly one impression', () => {
  const counters = createCounters({ clock: fixedClock(), chance: seededChance() })
  const readers = Array.from({ length: 50 }, () => counters.read('user'))

  const holds = readers.map((reader) => reader.hold([DAY_CAP], 60_000)).filter(Boolean)

  expect(holds).toHaveLength(1)
})
