import fc from 'fast-check'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { fixedClock, seededRandom } from '../testing/fixed.ts'
import { idsFrom } from './ids.ts'

test('an id is the uuid v7 of its millisecond, its place in it and chance', () => {
  const instants = fc.array(
    fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
    {
      minLength: 1,
    },
  )
  fc.assert(
    fc.property(instants, fc.string(), (moments, seed) => {
      const clock = fixedClock()
      const ids = idsFrom({ clock, random: seededRandom(seed) })
      const random = seededRandom(seed)
      let lastMs = 0
      let sequence = 0
      for (const moment of moments) {
        clock.moveTo(moment.toISOString())
        sequence = moment.getTime() > lastMs ? 0 : sequence + 1
        lastMs = Math.max(lastMs, moment.getTime())
        expect(ids.next()).toBe(v7({ msecs: lastMs, seq: sequence, random: random.bytes(16) }))
      }
    }),
  )
})
