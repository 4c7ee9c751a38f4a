import { expect, test } from 'vitest'
import { isTooLarge, sizeOf, sniffType } from './asset.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAEUlEQVR4nGNgYGD4D8VgAAUABf4B/0mGqhMAAAAASUVORK5CYII=',
  'base64',
)

test.each([
  ['image/svg+xml', '<?xml version="1.0"?>\n<!-- a > b --><!DOCTYPE svg PUBLIC "a" "b">\n<svg/>'],
  ['image/svg+xml', '\ufeff<svg viewBox="0 0 1 1"></svg>'],
  [undefined, '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>'],
  [undefined, '<svgfoo/>'],
  [undefined, '<!-- <svg> --><html/>'],
  [undefined, '%PDF-1.7 '],
  ['image/gif', 'GIF89a'],
])('%s is what these bytes are: %s', async (type, text) => {
  expect(await sniffType(Buffer.from(text))).toBe(type)
})

test('an impossible size is no size', () => {
  const huge = Buffer.from(PNG)
  huge.writeUInt32BE(4_000_000_000, 16)

  expect(sizeOf(PNG)).toEqual({ width: 2, height: 3 })
  expect(sizeOf(huge)).toBeUndefined()
  expect(sizeOf(PNG.subarray(0, 12))).toBeUndefined()
})

test.each([
  [60_000, 60_000, true],
  [16_385, 1, true],
  [1, 16_385, true],
  [8_000, 6_251, true],
  [8_000, 6_250, false],
  [16_384, 1, false],
])('of a picture of %i × %i pixels it is %s that it is too large', (width, height, isRefused) => {
  const png = Buffer.from(PNG)
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)

  expect(isTooLarge(png)).toBe(isRefused)
})

test('an animated PNG is a PNG', async () => {
  const control = Buffer.from('000000086163544c0000000100000000b92d8d0f', 'hex')
  const animated = Buffer.concat([PNG.subarray(0, 33), control, PNG.subarray(33)])

  expect(await sniffType(animated)).toBe('image/png')
})
