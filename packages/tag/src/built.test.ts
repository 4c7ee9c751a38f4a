import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildFrame, buildTag } from '../build.ts'

const BUILT = path.join(import.meta.dirname, '../built')
const GZIP_BYTES_MAX = 6_000

test('what is built is what the sources say: run "npm run generate" after a change', async () => {
  expect(await readFile(path.join(BUILT, 'tag.js'), 'utf8')).toBe(await buildTag())
  expect(await readFile(path.join(BUILT, 'frame.html'), 'utf8')).toBe(await buildFrame())
})

test(`the tag has at most ${GZIP_BYTES_MAX} bytes on its way`, async () => {
  const bytes = gzipSync(await readFile(path.join(BUILT, 'tag.js'))).byteLength

  expect(bytes).toBeLessThanOrEqual(GZIP_BYTES_MAX)
})
