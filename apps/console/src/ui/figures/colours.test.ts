import { expect, test } from 'vitest'
import { REFERENCE_COLOUR, seriesColour } from './colours.ts'

test('fifty series have fifty colours, and none has that of the reference', () => {
  const colours = Array.from({ length: 50 }, (_, place) => seriesColour(place))

  expect(new Set(colours).size).toBe(50)
  expect(colours).not.toContain(REFERENCE_COLOUR)
})
