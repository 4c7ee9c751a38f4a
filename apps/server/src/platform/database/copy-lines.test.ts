import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { copyField } from './copy.ts'
import { CopyLines } from './copy-lines.ts'

/** What is written, as text. */
function written(write: (lines: CopyLines) => void): string {
  const lines = new CopyLines()
  lines.plain('|')
  write(lines)
  return lines.between(1, lines.byteLength).toString()
}

const decimals = (values: readonly number[]) =>
  values.map((value) => written((lines) => lines.decimal(value, 6)))

describe('lines to be copied', () => {
  test('have every text as a field of COPY has it', () => {
    const anyText = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          fc.string({ unit: fc.constantFrom('a', '\\', '\t', '\n', '\r', '\u007f', 'ü') }),
        ),
        (text) => {
          expect(written((lines) => lines.text(text))).toBe(copyField(text))
        },
      ),
    )
  })

  test('have every number as JavaScript writes it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeNat(), fc.maxSafeInteger(), fc.double()), (value) => {
        expect(written((lines) => lines.number(value))).toBe(String(value))
      }),
    )
    for (const value of [0, 9, 10, 99, 2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
      expect(written((lines) => lines.number(value))).toBe(String(value))
    }
  })

  test('have decimals with as many places as anybody reads', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (value) => {
        expect(Math.abs(Number(decimals([value])[0]) - value)).toBeLessThanOrEqual(0.000_000_51)
      }),
    )
    expect(decimals([0, 7, 0.02, 1.5, 12.000_1, 1e300, 2.999_999_9, -1.5])).toEqual([
      '0',
      '7',
      '0.020000',
      '1.500000',
      '12.000100',
      '1e+300',
      '3',
      '-1.5',
    ])
  })

  test('grow with what is written, and begin anew when they are cleared', () => {
    const texts = ['ü\u{1F600}€'.repeat(20_000), 'a', 'b'.repeat(900_000)]
    const lines = new CopyLines()
    for (const text of texts) lines.text(text)

    expect(lines.between(0, lines.byteLength).toString()).toBe(texts.join(''))
    lines.clear()
    lines.copy(Buffer.from('again'))
    expect(lines.between(0, lines.byteLength).toString()).toBe('again')
  })
})
