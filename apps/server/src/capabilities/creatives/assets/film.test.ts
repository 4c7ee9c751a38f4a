import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { filmFactsOf } from './film.ts'

const filmAt = (name: string) =>
  readFileSync(path.resolve(import.meta.dirname, '../../../testing/films', name))

const SIX_SECONDS = filmAt('six-seconds.mp4')

test('length and size of a film are read from its header', () => {
  expect(filmFactsOf(SIX_SECONDS)).toEqual({ durationMs: 6_000, width: 64, height: 36 })
})

test('a rotated film has the size of its display', () => {
  const rotated = Buffer.from(SIX_SECONDS)
  const matrix = rotated.indexOf('tkhd') + 4 + 40
  rotated.writeUInt32BE(0, matrix)
  rotated.writeUInt32BE(0x1_0000, matrix + 4)

  expect(filmFactsOf(rotated)).toMatchObject({ width: 36, height: 64 })
})

test('a fragmented film has facts only if it states its length', () => {
  const bare = filmAt('fragmented.mp4')
  const withLength = Buffer.from(bare)
  const movieExtends = withLength.indexOf('mvex')
  const timescale = withLength.readUInt32BE(withLength.indexOf('mvhd') + 4 + 12)
  withLength.write('mehd', movieExtends + 8)
  withLength.writeUInt32BE(2 * timescale, movieExtends + 8 + 4 + 4)

  expect(filmFactsOf(bare)).toBeUndefined()
  expect(filmFactsOf(withLength)).toMatchObject({ durationMs: 2_000 })
})

test('a header cut off anywhere has no facts, and nothing is read beyond it', () => {
  const header = SIX_SECONDS.indexOf('moov') - 4
  const end = header + SIX_SECONDS.readUInt32BE(header)
  for (let bytes = 0; bytes < end; bytes += 7) {
    expect(filmFactsOf(SIX_SECONDS.subarray(0, bytes))).toBeUndefined()
  }
})

test('arbitrary bytes are read to an end', () => {
  fc.assert(
    fc.property(
      fc.nat(SIX_SECONDS.length - 1),
      fc.uint8Array({ minLength: 1, maxLength: 16 }),
      (at, noise) => {
        const broken = Buffer.from(SIX_SECONDS)
        broken.set(noise.subarray(0, broken.length - at), at)
        const { durationMs = 1, width = 1, height = 1 } = filmFactsOf(broken) ?? {}
        expect([durationMs, width, height].every((value) => value >= 1)).toBe(true)
      },
    ),
  )
})
