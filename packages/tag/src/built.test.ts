import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

test.each([
  ['tag', 6_000],
  ['tag-shop', 600],
  ['tag-over', 1_000],
  ['tag-consent', 800],
])('%s.js has at most %i bytes on its way', async (name, bytesMax) => {
  const built = await readFile(fileURLToPath(import.meta.resolve(`@placard/tag/${name}.js`)))

  expect(gzipSync(built).byteLength).toBeLessThanOrEqual(bytesMax)
})
