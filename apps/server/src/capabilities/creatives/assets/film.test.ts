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

test('a film turned on its side has its size as it is shown', () => {
  const turned = Buffer.from(SIX_SECONDS)
  const matrix = turned.indexOf('tkhd') + 4 + 40
  turned.writeUInt32BE(0, matrix)
  turned.writeUInt32BE(0x1_0000, matrix + 4)

  expect(filmFactsOf(turned)).toMatchObject({ width: 36, height: 64 })
})

test('a film in fragments without a length has no facts, and one that says its length has them', () => {
  const bare = filmAt('fragmented.mp4')
  const told = Buffer.from(bare)
  const movieExtends = told.indexOf('mvex')
  const timescale = told.readUInt32BE(told.indexOf('mvhd') + 4 + 12)
  told.write('mehd', movieExtends + 8)
  told.writeUInt32BE(2 * timescale, movieExtends + 8 + 4 + 4)

  expect(filmFactsOf(bare)).toBeUndefined()
  expect(filmFactsOf(told)).toMatchObject({ durationMs: 2_000 })
})

test('a header cut off anywhere has no facts, and nothing is read beyond it', () => {
  const header = SIX_SECONDS.indexOf('moov') - 4
  const end = header + SIX_SECONDS.readUInt32BE(header)
  for (let bytes = 0; bytes < end; bytes += 7) {
    expect(filmFactsOf(SIX_SECONDS.subarray(0, bytes))).toBeUndefined()
  }
})

test('whatever bytes come, they are read to an end', () => {
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
