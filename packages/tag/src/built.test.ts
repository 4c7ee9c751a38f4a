import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

/** 6,000 for ads, 400 for the click id that a shop's conversions come with. */
const GZIP_BYTES_MAX = 6_400

test(`the tag has at most ${GZIP_BYTES_MAX} bytes on its way`, async () => {
  const built = await readFile(fileURLToPath(import.meta.resolve('@placard/tag/tag.js')))

  expect(gzipSync(built).byteLength).toBeLessThanOrEqual(GZIP_BYTES_MAX)
})
